import fc from 'fast-check'
import t from 'tap'
import { floorOf } from '../../src/domain/collections/floor.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { floorOfScan, placesFrom } from '../../src/vectors/passes.js'

/** Numbers that the kernel has room for at a time. */
const AT_A_TIME = 16_384

/** Numbers with many that are alike, and some that lie beside each other in single precision. */
function numbersOf(count: number, seed: number): Float32Array {
  let state = seed
  const numbers = new Float32Array(count)
  for (let at = 0; at < count; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    numbers[at] = at % 3 === 0 ? (state % 64) / 64 - 0.5 : state / 2 ** 32 - 0.5
  }
  return numbers
}

function placesOf(numbers: Float32Array, count: number, least: number): number[] {
  const places: number[] = []
  for (const [place, number] of numbers.subarray(0, count).entries()) if (number >= least) places.push(place)
  return places
}

t.test('the floor of a scan is that of its numbers to the last bit, in one room of numbers and in several', async (t) => {
  for (const count of [0, 1, 99, 3_199, 3_200, 3_203, AT_A_TIME, AT_A_TIME + 1, 50_001]) {
    const numbers = numbersOf(count + 7, count + 1).fill(9, count)
    for (const limit of [0, 1, 3, 100, 400, 1_024, 1_025, 1_600]) {
      t.equal(floorOfScan(numbers, count, limit), floorOf(numbers, count, limit), `${String(limit)} of ${String(count)}`)
    }
  }
})

t.test('places are those of the numbers that are not below, whatever lies behind them', async () => {
  const least = fc.oneof(
    fc.constantFrom(-Infinity, -0.5, -0.25, -0, 0, 0.25, 0.49999, 2 ** -149, -(2 ** -149), 1e-300, -1e-300, 2, Infinity),
    fc.double({ min: -0.5, max: 0.5, noNaN: true })
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 70 }), fc.integer(), least, (count, seed, bound) => {
      const numbers = numbersOf(count + 7, seed).fill(Infinity, count)
      const found = inOneGo(placesFrom(numbers, count, bound))
      return found.join() === placesOf(numbers, count, bound).join()
    })
  )
})

t.test('a bound between two numbers in single precision parts them, on either side of zero', async (t) => {
  for (const sign of [1, -1]) {
    const pair = Float32Array.of(sign * 0.3, sign * (0.3 + 2 ** -25), sign * 0.3)
    const between = ((pair[0] as number) + (pair[1] as number)) / 2
    t.not(pair[0], pair[1])
    t.same(inOneGo(placesFrom(pair, 3, between)), placesOf(pair, 3, between))
    t.same(inOneGo(placesFrom(pair, 3, pair[0] as number)), placesOf(pair, 3, pair[0] as number))
  }
})

t.test('many places are found in pieces', async (t) => {
  const numbers = numbersOf(3 * AT_A_TIME + 5, 3)
  t.equal([...placesFrom(numbers, numbers.length, 0)].length, 3)
  t.same(inOneGo(placesFrom(numbers, numbers.length, 0)), placesOf(numbers, numbers.length, 0))
})
