import fc from 'fast-check'
import t from 'tap'
import { createRecorder, type Reading } from '../../src/debug/recorder.js'
import type { DebugEvent } from '../../src/ports.js'
import { createManualClock } from '../support/manual-clock.js'

function start(ringMax: number, isTracing = true) {
  const recorder = createRecorder({ clock: createManualClock(), ringMax, isTracing })
  const tell = (subject: string | null, data: DebugEvent['data'] = {}) => recorder.tracer.emit({ kind: 'turn.started', subject, data })
  return { recorder, tell }
}

const seqs = ({ events }: Pick<Reading, 'events'>) => events.map(({ seq }) => seq)
const all = { limit: 100 }

t.test('events, read by a subject, are its own and those of nobody, by growing numbers', async (t) => {
  const { recorder, tell } = start(10)
  for (const subject of ['alice', 'bob', null, 'alice']) tell(subject)
  t.strictSame(seqs(recorder.read('alice', all)), [1, 3, 4])
  t.strictSame(seqs(recorder.read('bob', all)), [2, 3])
  t.equal(recorder.read('carol', { since: 3, ...all }).lastSeq, 4, 'where to go on, whoever made the events between')
})

t.test('a replay, with and without a start, gives the first after it, or the latest', async (t) => {
  const { recorder, tell } = start(10)
  for (let at = 0; at < 6; at++) tell('alice')
  t.strictSame(seqs(recorder.read('alice', { limit: 2 })), [5, 6])
  const page = recorder.read('alice', { since: 1, limit: 2 })
  t.strictSame([seqs(page), page.lastSeq], [[2, 3], 3])
  t.strictSame(seqs(recorder.read('alice', { since: 6, ...all })), [])
  t.strictSame(seqs(recorder.read('alice', { since: 7, limit: 2 })), [1, 2], 'a number of an earlier process')
})

t.test('a ring that is full, keeps the latest events', async (t) => {
  const { recorder, tell } = start(3)
  for (let at = 0; at < 8; at++) tell('alice')
  t.strictSame(seqs(recorder.read('alice', { since: 0, ...all })), [6, 7, 8])
})

t.test('events that break the rules, are dropped', async (t) => {
  const { recorder, tell } = start(10)
  const { tracer } = recorder
  tell(null, { text: 'what somebody wrote' })
  tell(null, { list: ['a'] })
  tracer.emit({ kind: 'turn.started', subject: null, sessionId: 's', data: {} })
  tell('alice', { vector: new Float32Array(2) })
  tell('alice', { hits: [{ vector: [0.1, 0.2] }] })
  tell('alice', { deep: { deep: { deep: { deep: {} } } } })
  t.strictSame(seqs(recorder.read('alice', all)), [])
  tell(null, { supervisor: 'session', durationMs: 1.5, isOn: true, code: null })
  tell('alice', { text: 'her own words', hits: [{ memoryHash: 'a', components: { dense: 0.5 } }] })
  t.strictSame(seqs(recorder.read('alice', all)), [1, 2])
})

t.test('a recorder that does not trace, says so and keeps nothing', async (t) => {
  const { recorder, tell } = start(10, false)
  t.equal(recorder.tracer.isEnabled, false)
  tell('alice')
  t.strictSame(recorder.read('alice', all), { events: [], lastSeq: 0 })
})

t.test('a follower, is woken by what it may see, and takes it in pieces', async (t) => {
  const { recorder, tell } = start(10)
  tell('alice')
  let woken = 0
  const follower = recorder.follow('alice', { woken: () => (woken += 1) })
  for (const subject of ['bob', 'alice', null, 'alice']) tell(subject)
  t.equal(woken, 3)
  t.strictSame([seqs(follower.take(2)), seqs(follower.take(2)), seqs(follower.take(2))], [[3, 4], [5], []])
  follower.close()
  follower.close()
  tell('alice')
  t.equal(woken, 3)
})

t.test('a follower that is overtaken by the ring, learns once how many of its own it missed', async (t) => {
  const { recorder, tell } = start(4)
  const follower = recorder.follow('alice', { woken: () => undefined })
  for (let at = 0; at < 5; at++) {
    tell('alice')
    tell('bob')
  }
  t.match(follower.take(9), { gap: { missed: 3, fromSeq: 1, toSeq: 5 }, events: [{ seq: 7 }, { seq: 9 }] })
  t.strictSame(follower.take(9), { gap: null, events: [] })
})

t.test('a follower that begins before the ring does, is told what is not there any more', async (t) => {
  const { recorder, tell } = start(2)
  for (let at = 0; at < 5; at++) tell('alice')
  const reading = recorder.follow('alice', { since: 1, woken: () => undefined }).take(9)
  t.match(reading, { gap: { missed: 2, fromSeq: 2, toSeq: 3 }, events: [{ seq: 4 }, { seq: 5 }] })
  const resumed = recorder.follow('alice', { since: 3, woken: () => undefined }).take(9)
  t.match(resumed, { gap: null, events: [{ seq: 4 }, { seq: 5 }] })
})

t.test('a recorder, told to forget, has nothing left and goes on counting', async (t) => {
  const { recorder, tell } = start(3)
  for (let at = 0; at < 5; at++) tell('alice')
  const follower = recorder.follow('alice', { since: 3, woken: () => undefined })
  recorder.forget()
  t.strictSame(seqs(recorder.read('alice', all)), [])
  tell('alice')
  t.strictSame(seqs(follower.take(9)), [6])
})

t.test('a follower, however it reads, gets each visible event once in its order or counts it as missed', async () => {
  const action = fc.oneof(fc.constantFrom('alice', 'bob', null), fc.integer({ min: 1, max: 5 }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(action, { maxLength: 60 }), (ringMax, actions) => {
      const { recorder, tell } = start(ringMax)
      const follower = recorder.follow('alice', { woken: () => undefined })
      const seen: number[] = []
      let [told, missed] = [0, 0]
      const take = (max: number) => {
        const reading = follower.take(max)
        missed += reading.gap?.missed ?? 0
        if (reading.gap !== null && reading.gap.toSeq >= (reading.events[0]?.seq ?? Infinity)) throw new Error('a gap after its events')
        seen.push(...seqs(reading))
      }
      for (const one of actions) {
        if (typeof one === 'number') take(one)
        else {
          tell(one)
          if (one !== 'bob') told++
        }
      }
      take(100)
      return seen.every((seq, at) => at === 0 || seq > (seen[at - 1] ?? 0)) && seen.length + missed === told
    }),
  )
})
