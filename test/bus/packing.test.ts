/** Bodies as bytes and back: in one go where they are short, and else with the event loop let in between. */
import t from 'tap'
import { pack, unpack } from '../../src/bus/packing.js'

const memories = (length: number) => Array.from({ length }, (_, at) => ({ id: `m${String(at)}`, vectors: Float32Array.of(at, 1) }))

/** Each look at it costs half a millisecond. */
function createSlowClock() {
  let [nowMs, iterations] = [0, 0]
  let planned: (() => void)[] = []
  return {
    monotonicMs: () => (nowMs += 0.5),
    after(_: number, run: () => void) {
      if (planned.push(run) === 1) {
        setImmediate(() => {
          iterations += 1
          const due = planned
          planned = []
          for (const listener of due) listener()
        })
      }
      return () => undefined
    },
    /** Of the event loop, since it was asked last. */
    takeIterations() {
      const taken = iterations
      iterations = 0
      return taken
    }
  }
}

t.test('a message with a long list is packed and read with the event loop let in every two milliseconds, and is the same', async (t) => {
  const clock = createSlowClock()
  const body = { reply: { memories: memories(640) } }
  const packed = await pack(clock, body)
  t.equal(packed.isDivided, true)
  // 40 frames of items are packed, and with the first one 41 are put together, 4 an iteration.
  const packing = clock.takeIterations()
  t.ok(packing >= 19 && packing <= 28, `${String(packing)} iterations`)
  t.same(await unpack(clock, packed), body)
  const reading = clock.takeIterations()
  t.ok(reading >= 9 && reading <= 14, `${String(reading)} iterations`)
})

t.test('several messages at a time share the time of an iteration', async (t) => {
  const clock = createSlowClock()
  const body = { reply: { memories: memories(640) } }
  await pack(clock, body)
  const alone = clock.takeIterations()
  await Promise.all(Array.from({ length: 4 }, () => pack(clock, body)))
  const together = clock.takeIterations()
  t.ok(together > 3 * alone, `${String(together)} iterations, of one ${String(alone)}`)
})

t.test('a message without one goes at once', async (t) => {
  const clock = createSlowClock()
  const body = { reply: { memories: memories(64) } }
  const packed = await pack(clock, body)
  t.equal(packed.isDivided, false)
  t.same(await unpack(clock, packed), body)
  t.equal(clock.takeIterations(), 0)
})
