import fc from 'fast-check'
import t from 'tap'
import type { Reading } from '../../src/debug/event-log.js'
import { createRecorder } from '../../src/debug/recorder.js'
import { TRACED_SUBJECTS_MAX } from '../../src/domain/fairness/allowances.js'
import { totalOf, weightOf } from '../../src/domain/fairness/weight.js'
import type { DebugEvent } from '../../src/ports.js'
import { createManualClock } from '../support/manual-clock.js'

function start(ringMax: number, isTracing = true) {
  const recorder = createRecorder({ clock: createManualClock(), ringMax, isTracing })
  const tell = (subject: string | null, data: DebugEvent['data'] = {}) => recorder.tracer.emit({ kind: 'turn.started', subject, data })
  return { recorder, tell }
}

const seqs = ({ events }: Pick<Reading, 'events'>) => events.map(({ seq }) => seq)
const all = { limit: 100 }

t.test('the events a subject reads are its own and those of nobody, by growing numbers', async (t) => {
  const { recorder, tell } = start(10)
  for (const subject of ['alice', 'bob', null, 'alice']) tell(subject)
  t.strictSame(seqs(recorder.read('alice', all)), [1, 2, 3])
  t.strictSame(seqs(recorder.read('bob', all)), [1, 2])
  t.match(
    recorder.read('carol', all),
    { events: [{ seq: 1, event: { subject: null } }], lastSeq: 1 },
    'what nobody owns, also for later readers'
  )
})

t.test("a subject's numbers, gaps and places in the ring, say nothing of how much others do", async (t) => {
  const [busy, quiet] = [start(4), start(4)]
  const followers = [busy, quiet].map(({ recorder }) => recorder.follow('alice', { woken: () => undefined }))
  for (let at = 0; at < 6; at++) {
    for (const { tell } of [busy, quiet]) tell(at === 3 ? null : 'alice', { at })
    for (let other = 0; other < 50; other++) busy.tell('bob', { other })
  }
  const seen = [busy, quiet].map(({ recorder }) => [recorder.read('alice', all), recorder.read('alice', { since: 4, limit: 1 })])
  t.strictSame(seen[0], seen[1])
  t.strictSame(followers[0]?.take(9), followers[1]?.take(9))
})

t.test('subjects beyond those that are kept push out the one longest unused, and none that is followed', async (t) => {
  const { recorder, tell } = start(4)
  const follower = recorder.follow('followed', { woken: () => undefined })
  for (const subject of ['followed', 'first', 'second']) tell(subject)
  recorder.read('first', all)
  for (let at = 0; at < TRACED_SUBJECTS_MAX - 2; at++) tell(`subject-${at}`)
  t.strictSame(seqs(follower.take(9)), [1])
  t.strictSame(seqs(recorder.read('first', all)), [1])
  t.strictSame(seqs(recorder.read('second', all)), [], 'longest without an event or a reader')
})

t.test('of more subjects that are followed than are kept, the one longest unused keeps nothing, and its reader learns so', async (t) => {
  const { recorder, tell } = start(4)
  const subjects = Array.from({ length: TRACED_SUBJECTS_MAX + 1 }, (_, at) => `subject-${at}`)
  const [first] = subjects.map((subject) => recorder.follow(subject, { woken: () => undefined }))
  for (const subject of subjects) tell(subject)
  t.strictSame(first?.take(9), { gap: { missed: 1, fromSeq: 1, toSeq: 1 }, events: [] })
  tell('subject-0')
  t.strictSame(seqs(recorder.read('subject-0', all)), [2], 'its numbers go on')
  t.strictSame(seqs(recorder.read('subject-1', all)), [], 'the next one longest unused')
})

t.test('events of all subjects stay within their bytes, however many subjects are followed', async (t) => {
  const bytesMax = (TRACED_SUBJECTS_MAX + 1) * 1_000
  const recorder = createRecorder({ clock: createManualClock(), ringMax: 100, bytesMax, isTracing: true })
  const data = { node: 'x'.repeat(64) }
  const subjects = Array.from({ length: 4 * TRACED_SUBJECTS_MAX }, (_, at) => `subject-${at}`)
  const followers = subjects.map((subject) => recorder.follow(subject, { woken: () => undefined }))
  for (const subject of [...subjects, null]) for (let at = 0; at < 5; at++) recorder.tracer.emit({ kind: 'turn.started', subject, data })
  const held = followers.flatMap((follower) => follower.take(100).events)
  t.ok(held.length > TRACED_SUBJECTS_MAX, 'those that are kept have their share')
  const bytes = held.reduce((sum, { event }) => sum + totalOf(weightOf(event)), 0)
  t.ok(bytes <= bytesMax, `${bytes} of ${bytesMax} bytes`)
})

t.test('a replay gives the first after its start, or the latest without one', async (t) => {
  const { recorder, tell } = start(10)
  for (let at = 0; at < 6; at++) tell('alice')
  t.strictSame(seqs(recorder.read('alice', { limit: 2 })), [5, 6])
  const page = recorder.read('alice', { since: 1, limit: 2 })
  t.strictSame([seqs(page), page.lastSeq], [[2, 3], 3])
  t.strictSame(seqs(recorder.read('alice', { since: 6, ...all })), [])
  t.strictSame(recorder.read('alice', { since: 7, limit: 2 }), { events: [], lastSeq: 6 }, 'beyond the last event there is none')
  const follower = recorder.follow('alice', { since: 2 ** 40, woken: () => undefined })
  tell('alice')
  t.strictSame(seqs(follower.take(9)), [7], 'what comes then, comes')
})

t.test('a ring that is full keeps the latest events', async (t) => {
  const { recorder, tell } = start(3)
  for (let at = 0; at < 8; at++) tell('alice')
  t.strictSame(seqs(recorder.read('alice', { since: 0, ...all })), [6, 7, 8])
})

t.test('events that break the rules are dropped', async (t) => {
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

t.test('a recorder that does not trace says so and keeps nothing', async (t) => {
  const { recorder, tell } = start(10, false)
  t.equal(recorder.tracer.isEnabled, false)
  tell('alice')
  t.strictSame(recorder.read('alice', all), { events: [], lastSeq: 0 })
})

t.test('a follower is woken by what it may see, and takes it in pieces', async (t) => {
  const { recorder, tell } = start(10)
  tell('alice')
  let woken = 0
  const follower = recorder.follow('alice', { woken: () => (woken += 1) })
  for (const subject of ['bob', 'alice', null, 'alice']) tell(subject)
  t.equal(woken, 3)
  t.strictSame([seqs(follower.take(2)), seqs(follower.take(2)), seqs(follower.take(2))], [[2, 3], [4], []])
  follower.close()
  follower.close()
  tell('alice')
  t.equal(woken, 3)
})

t.test('a follower that is overtaken by the ring learns once how many of its own it missed', async (t) => {
  const { recorder, tell } = start(4)
  const follower = recorder.follow('alice', { woken: () => undefined })
  for (let at = 0; at < 5; at++) {
    tell('alice')
    tell('bob')
  }
  t.match(follower.take(9), { gap: { missed: 1, fromSeq: 1, toSeq: 1 }, events: [{ seq: 2 }, { seq: 3 }, { seq: 4 }, { seq: 5 }] })
  t.strictSame(follower.take(9), { gap: null, events: [] })
})

t.test('a follower that begins before the ring does is told what is not there any more', async (t) => {
  const { recorder, tell } = start(2)
  for (let at = 0; at < 5; at++) tell('alice')
  const reading = recorder.follow('alice', { since: 1, woken: () => undefined }).take(9)
  t.match(reading, { gap: { missed: 2, fromSeq: 2, toSeq: 3 }, events: [{ seq: 4 }, { seq: 5 }] })
  const resumed = recorder.follow('alice', { since: 3, woken: () => undefined }).take(9)
  t.match(resumed, { gap: null, events: [{ seq: 4 }, { seq: 5 }] })
})

t.test('a recorder that is told to forget has nothing left and goes on counting', async (t) => {
  const { recorder, tell } = start(3)
  for (let at = 0; at < 5; at++) tell('alice')
  tell(null)
  const follower = recorder.follow('alice', { since: 4, woken: () => undefined })
  recorder.forget()
  t.strictSame(seqs(recorder.read('alice', all)), [])
  t.strictSame(seqs(recorder.read('carol', all)), [], 'nor what nobody owns, for later readers')
  tell('alice')
  t.match(follower.take(9), { gap: { missed: 2, fromSeq: 5, toSeq: 6 }, events: [{ seq: 7 }] })
})

t.test('what a recorder forgets of one subject shows to no other one, who keeps what nobody owns', async (t) => {
  const { recorder, tell } = start(9)
  for (const subject of ['alice', 'bob', null]) tell(subject)
  recorder.forget('alice')
  t.strictSame(seqs(recorder.read('alice', all)), [])
  t.strictSame(seqs(recorder.read('bob', all)), [1, 2])
  t.strictSame(seqs(recorder.read('carol', all)), [1], 'a newcomer sees no sign of it either')
  recorder.forget('nobody')
  recorder.forget()
  for (const subject of ['bob', 'carol']) t.strictSame(seqs(recorder.read(subject, all)), [])
})

t.test('a follower gets each visible event once in its order or counts it as missed, however it reads', async () => {
  const action = fc.oneof(fc.constantFrom('alice', 'bob', null, 'forget' as const), fc.integer({ min: 1, max: 5 }))
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
        else if (one === 'forget') recorder.forget('alice')
        else {
          tell(one)
          if (one !== 'bob') told++
        }
      }
      take(100)
      return seen.every((seq, at) => at === 0 || seq > (seen[at - 1] ?? 0)) && seen.length + missed === told
    })
  )
})

t.test('events beyond the bytes of a ring push out the oldest of their own subject, and readers are told', async (t) => {
  const bytesMax = 100_000 * (TRACED_SUBJECTS_MAX + 1)
  const recorder = createRecorder({ clock: createManualClock(), ringMax: 1_000, bytesMax, isTracing: true })
  const tell = (subject: string, text: string): void => recorder.tracer.emit({ kind: 'turn.started', subject, data: { text } })
  tell('bob', 'quiet')
  const follower = recorder.follow('alice', { woken: () => undefined })
  for (let at = 0; at < 50; at++) tell('alice', 'x'.repeat(10_000))
  const kept = seqs(recorder.read('alice', all))
  t.ok(kept.length >= 8 && kept.length < 10, `${kept.length} of ten thousand characters each`)
  t.equal(kept.at(-1), 50)
  t.equal(follower.take(100).gap?.toSeq, (kept[0] ?? 0) - 1)
  t.strictSame(seqs(recorder.read('bob', all)), [1], "nobody else's")
  tell('alice', 'x'.repeat(200_000))
  t.strictSame(recorder.read('alice', all), { events: [], lastSeq: 51 }, 'one that is larger than the ring is not kept')
})

t.test('a ring holds as many bytes as it may, to the byte', async (t) => {
  const event: DebugEvent = { kind: 'turn.started', subject: 'alice', data: { turn: 1 } }
  const own = totalOf(weightOf(event))
  for (const [bytesMax, kept] of [
    [2 * own, [2, 3]],
    [2 * own - 1, [3]]
  ] as const) {
    const recorder = createRecorder({
      clock: createManualClock(),
      ringMax: 9,
      bytesMax: bytesMax * (TRACED_SUBJECTS_MAX + 1),
      isTracing: true
    })
    for (let at = 0; at < 3; at++) recorder.tracer.emit(event)
    t.strictSame(seqs(recorder.read('alice', all)), kept)
  }
})

t.test('events of many bytes are read and followed some at a time, all of them in the end', async (t) => {
  const recorder = createRecorder({ clock: createManualClock(), ringMax: 1_000, isTracing: true })
  const follower = recorder.follow('alice', { woken: () => undefined })
  for (let at = 0; at < 100; at++) recorder.tracer.emit({ kind: 'turn.started', subject: 'alice', data: { text: 'x'.repeat(100_000) } })
  const read: number[] = []
  let pages = 0
  for (let since = 0; since < 100; pages++) {
    const page = recorder.read('alice', { since, limit: 1_000 })
    read.push(...seqs(page))
    since = page.lastSeq
  }
  t.strictSame(
    read,
    Array.from({ length: 100 }, (_, at) => at + 1)
  )
  t.equal(pages, 3, 'forty of them are four megabytes')
  t.equal(seqs(recorder.read('alice', { limit: 1_000 })).at(-1), 100, 'the latest ones')
  const followed: number[] = []
  for (let next = follower.take(64); next.events.length > 0; next = follower.take(64)) {
    t.ok(next.events.length <= 2)
    followed.push(...seqs(next))
  }
  t.strictSame(followed, read)
})
