import fc from 'fast-check'
import t from 'tap'
import { createDriftLog, type LoggedEvent } from '../../../actors/region/drift-log.js'
import { LOG_ENTRIES_MAX } from '../../../src/domain/limits.js'

const event = (seq: number, timestamp: number): LoggedEvent => ({
  seq,
  timestamp,
  eventId: `e${seq}`,
  clusterId: 'a',
  driftScore: 0.6,
  driftPhase: 'drifted'
})
const idsOf = (events: readonly { eventId: string }[]) => events.map(({ eventId }) => eventId)

t.test('drift events in any order are listed newest first, those of one time by their arrival', async (t) => {
  const log = createDriftLog()
  for (const [seq, timestamp] of [
    [1, 10],
    [2, 30],
    [3, 20],
    [4, 20]
  ] as const)
    t.equal(log.add(event(seq, timestamp)), null)
  t.same(idsOf(log.newest(10)), ['e2', 'e4', 'e3', 'e1'])
  t.same(idsOf(log.newest(2)), ['e2', 'e4'])
  t.ok(log.has('e3'))
  t.notOk(log.has('e5'))
  t.notOk('seq' in (log.newest(1)[0] ?? {}), 'the order of arrival is nobody else’s business')
})

t.test('a full log drops its oldest event and forgets its id; one that is older than all is not taken in', async (t) => {
  const log = createDriftLog(Array.from({ length: LOG_ENTRIES_MAX - 1 }, (_, at) => event(at, 1_000 + at)))
  t.equal(log.add(event(LOG_ENTRIES_MAX - 1, 2_000 + LOG_ENTRIES_MAX)), null)
  t.equal(log.add(event(5_000, 5_000))?.eventId, 'e0')
  t.notOk(log.has('e0'))
  const old = event(6_000, 1)
  t.equal(log.add(old), old)
  t.notOk(log.has('e6000'))
  t.equal(log.newest(2_000).length, LOG_ENTRIES_MAX)
})

t.test('a log made of stored events in any order lists what the one that took them in lists', async () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 30 }), fc.infiniteStream(fc.nat()), (times, chances) => {
      const events = times.map((timestamp, seq) => event(seq, timestamp))
      const log = createDriftLog()
      for (const one of events) log.add(one)
      const shuffled = events.map((one) => ({ one, at: chances.next().value as number })).sort((a, b) => a.at - b.at)
      return JSON.stringify(createDriftLog(shuffled.map(({ one }) => one)).newest(100)) === JSON.stringify(log.newest(100))
    })
  )
})
