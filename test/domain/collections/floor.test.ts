import fc from 'fast-check'
import t from 'tap'
import { floorOf } from '../../../src/domain/collections/floor.js'

type Numbers = Float32Array | Float64Array

const reached = (values: Numbers, floor: number): number => Array.from(values).filter((value) => value >= floor).length

/** Behind the values are places that do not count. */
function holds(values: Numbers, limit: number): boolean {
  const more = new Float64Array(values.length + 100).fill(1e30)
  more.set(values)
  const floor = floorOf(values instanceof Float64Array ? more : Float32Array.from(more), values.length, limit)
  return values.length < limit ? floor === -Infinity : reached(values, floor) >= limit
}

t.test('so many of the numbers reach the floor, whatever they are', async () => {
  const wild = fc.double({ noNaN: true, min: -1e30, max: 1e30 })
  const near = fc.integer({ min: -9, max: 9 }).map((number) => 0.5 + number * 2 ** -50)
  const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ noNaN: true, min: -1, max: 1 }), near, wild)
  fc.assert(
    fc.property(
      fc.array(number, { maxLength: 200, size: 'max' }),
      fc.integer({ min: 1, max: 40 }),
      (numbers, limit) => holds(Float64Array.from(numbers), limit) && holds(Float32Array.from(numbers), limit)
    )
  )
})

t.test('few others reach it', async (t) => {
  const values = Float64Array.from({ length: 20_000 }, (_, at) => Math.sin(at * at))
  for (const limit of [1, 8, 100, 1_000]) {
    const found = reached(values, floorOf(values, values.length, limit))
    t.ok(found >= limit && found <= limit + Math.max(1, limit / 8), `${String(found)} of ${String(limit)}`)
  }
})

t.test('few others reach it where those that are great lie side by side', async (t) => {
  const values = Float32Array.from({ length: 30_000 }, (_, at) => Math.abs(at - 12_000) / -30_000)
  for (const limit of [1, 8, 100, 1_000]) {
    const found = reached(values, floorOf(values, values.length, limit))
    t.ok(found >= limit && found <= limit + Math.max(2, limit / 8), `${String(found)} of ${String(limit)}`)
  }
})

t.test('some numbers far from the rest do not make them all alike', async (t) => {
  for (const far of [1, 50, 99]) {
    const values = Float64Array.from({ length: 5_000 }, (_, at) => (at < far ? 1e6 + at : at / 5_000))
    const found = reached(values, floorOf(values, values.length, 100))
    t.ok(found >= 100 && found <= 112, String(found))
  }
})

t.test('only the first numbers count', async (t) => {
  t.equal(floorOf(Float64Array.of(3, 1, 9), 2, 2), 1)
  t.equal(floorOf(Float64Array.of(3, 3, 3, 9), 3, 2), 3)
  const many = Float64Array.from({ length: 100 }, (_, at) => (at < 70 ? at : 1e9))
  t.ok(floorOf(many, 70, 1) <= 69, 'nor do those behind them where they are many')
})

t.test('fewer numbers than asked for have no floor, nor has nothing that is asked for', async (t) => {
  t.equal(floorOf(Float64Array.of(3, 1), 2, 3), -Infinity)
  t.equal(floorOf(Float64Array.of(3, 1), 2, 0), -Infinity)
})
