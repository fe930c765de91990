import t from 'tap'
import { createEntry, type Entry } from '../../../actors/runtime/entry.js'
import type { Actors } from '../../../actors/runtime/actors.js'
import { evictWhile, PASSIVATIONS_A_SLICE } from '../../../actors/runtime/sweep.js'
import { createManualClock, settled } from '../../support/manual-clock.js'

/** An entry with an open actor. */
function openEntry(id: string, nowMs: number, passivate: (entry: Entry) => void): Entry {
  const entry = createEntry({ kind: 'session', subject: 'tester', id }, nowMs)
  entry.activation = { isOpen: true, ref: { send: () => passivate(entry) } } as unknown as Entry['activation']
  return entry
}

function actorsOf(entries: Iterable<Entry>, clock = createManualClock()): Actors {
  return { options: { clock, tracer: { isEnabled: false } }, registry: { entries: () => entries } } as unknown as Actors
}

t.test('many actors are put away a slice at a time, and nobody after the first that is not wanted', async (t) => {
  const clock = createManualClock()
  const count = 2 * PASSIVATIONS_A_SLICE + 3
  const living = new Set<Entry>()
  for (let n = 0; n < count + 10; n++) living.add(openEntry(String(n), n, (entry) => void living.delete(entry)))
  const ended = evictWhile(actorsOf(living, clock), { isWanted: ({ touchedAtMs }) => touchedAtMs < count, isKept: () => false })
  const left: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    await settled()
    left.push(living.size)
    await clock.turn()
  }
  await ended
  t.same(left, [PASSIVATIONS_A_SLICE + 13, 13, 10])
})

t.test('what is at work or kept is passed by, and keeps nobody after it from being put away', async (t) => {
  const evicted: Entry[] = []
  const [busy, kept, idle] = (['busy', 'kept', 'idle'] as const).map((id) => openEntry(id, 0, (entry) => void evicted.push(entry)))
  if (busy === undefined || kept === undefined || idle === undefined) throw new Error('Three entries')
  busy.work = 1
  await evictWhile(actorsOf([busy, kept, idle]), { isWanted: () => true, isKept: (entry) => entry === kept })
  t.strictSame(evicted, [idle])
})
