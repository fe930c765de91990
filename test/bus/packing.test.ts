/** Encoding and decoding of bodies: in one go if they are short, else with pauses for the event loop. */
import t from 'tap'
import { pack, unpack } from '../../src/bus/packing.js'

const memories = (length: number) => Array.from({ length }, (_, at) => ({ id: `m${String(at)}`, vectors: Float32Array.of(at, 1) }))

/** A clock that advances by a millisecond each time it is read. */
function createSlowClock() {
  let [nowMs, pauses] = [0, 0]
  return {
    now: () => 0,
    monotonicMs: () => (nowMs += 1),
    after(delayMs: number, run: () => void) {
      pauses += delayMs === 0 ? 1 : Number.NaN
      queueMicrotask(run)
      return () => undefined
    },
    /** Since it was asked last. */
    takePauses() {
      const taken = pauses
      pauses = 0
      return taken
    }
  }
}

t.test('a message with a long list is packed and read with a pause every two milliseconds, and is the same', async (t) => {
  const clock = createSlowClock()
  const body = { reply: { memories: memories(640) } }
  const packed = await pack(clock, body)
  t.equal(packed.isDivided, true)
  // 40 frames of items are packed, and with the first one 41 are put together.
  t.equal(clock.takePauses(), 40)
  t.same(await unpack(clock, packed), body)
  t.equal(clock.takePauses(), 20)
})

t.test('a message without one goes at once', async (t) => {
  const clock = createSlowClock()
  const body = { reply: { memories: memories(64) } }
  const packed = await pack(clock, body)
  t.equal(packed.isDivided, false)
  t.same(await unpack(clock, packed), body)
  t.equal(clock.takePauses(), 0)
})
