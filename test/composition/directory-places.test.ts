// Listings whose callers have gone: a bounded number of one subject is read, and no other subject waits for them.
import t from 'tap'
import type { Ask } from '../../actors/asking/ask.js'
import type { LiveSessions } from '../../actors/subject/live-sessions.js'
import type { Catalog } from '../../actors/runtime/catalog.js'
import { createDirectory } from '../../src/composition/directory.js'
import { isDomainError } from '../../src/domain/errors.js'
import { createManualClock } from '../support/manual-clock.js'

t.test('eight listings of a subject are read at a time, others wait, and those for which there is no room are refused', async (t) => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const directory = createDirectory({
    sessions: { activeCount: 0 } as Catalog,
    live: {} as LiveSessions,
    membership: null,
    storage: {
      list: ({ subject }) =>
        new Promise<string[]>((resolve) => {
          begun.push(subject)
          ends.push(() => resolve([]))
        }),
      heads: async () => new Map()
    },
    ask: (async () => undefined) as unknown as Ask,
    clock: createManualClock(),
    isRunning: () => true,
    defaultModelName: () => 'none',
    probes: {}
  })
  const outcomes: string[] = []
  const note = (listing: Promise<unknown>) =>
    listing.then(
      () => outcomes.push('answered'),
      (error: unknown) => outcomes.push(isDomainError(error) ? error.code : 'other')
    )
  const kinds = [
    () => directory.sumDays('alice', { limit: 1_000 }),
    () => directory.listClusters('alice'),
    () => directory.listRegions('alice')
  ]
  const all = Array.from({ length: 300 }, (_, at) => note(Promise.resolve(kinds[at % kinds.length]?.())))
  await new Promise(setImmediate)
  t.equal(begun.length, 8)
  t.equal(outcomes.filter((outcome) => outcome === 'busy').length, 300 - 8 - 256)
  const other = directory.sumDays('bob', { limit: 1_000 })
  await new Promise(setImmediate)
  t.equal(begun.at(-1), 'bob')
  while (outcomes.length < 300) {
    ends.splice(0).forEach((end) => end())
    await new Promise(setImmediate)
  }
  await Promise.all([...all, other])
  t.equal(outcomes.filter((outcome) => outcome === 'answered').length, 8 + 256)
})
