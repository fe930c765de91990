import t from 'tap'
import type { Activations } from '../../../actors/runtime/activations.js'
import { createEntry, type Entry } from '../../../actors/runtime/entry.js'
import { evictWhile, PASSIVATIONS_A_SLICE } from '../../../actors/runtime/sweep.js'
import { createManualClock, settled } from '../../support/manual-clock.js'

t.test('many actors are put away a slice at a time, and nobody after the first that is not wanted', async (t) => {
  const clock = createManualClock()
  const count = 2 * PASSIVATIONS_A_SLICE + 3
  const living = new Set(
    Array.from({ length: count + 10 }, (_, n) => createEntry({ kind: 'session', subject: 'tester', id: String(n) }, n))
  )
  const activations = {
    registry: { entries: () => living.values() },
    isEvictable: () => true,
    evict: (entry: Entry) => void living.delete(entry)
  } as unknown as Activations
  const ended = evictWhile(activations, clock, { isWanted: ({ touchedAtMs }) => touchedAtMs < count, isKept: () => false })
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
  const [busy, kept, idle] = ['busy', 'kept', 'idle'].map((id) => createEntry({ kind: 'session', subject: 'tester', id }, 0))
  const evicted: unknown[] = []
  const activations = {
    registry: { entries: () => [busy, kept, idle].values() },
    isEvictable: (entry: Entry) => entry !== busy,
    evict: (entry: Entry) => void evicted.push(entry)
  } as unknown as Activations
  await evictWhile(activations, createManualClock(), { isWanted: () => true, isKept: (entry) => entry === kept })
  t.strictSame(evicted, [idle])
})
