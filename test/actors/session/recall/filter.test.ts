import t from 'tap'
import { isSelective, matchesFilter } from '../../../../actors/session/recall/filter.js'
import type { SessionState } from '../../../../actors/session/record/state.js'
import type { MemoryFilter } from '../../../../src/domain/commands/memory-view.js'
import { memoryEntry } from '../../../support/memories.js'

const state = { head: { interactionCount: 1 } } as SessionState
const entry = memoryEntry(1, 'red', { role: 'assistant', userId: 'ann', timestamp: 100, baseTier: 'medium_term' })
const matches = (filter: MemoryFilter) => matchesFilter(state, entry, filter)

t.test('a memory has to meet every condition, each of them by its own field', async (t) => {
  t.ok(matches({}))
  t.ok(matches({ role: 'assistant', userId: 'ann', tier: 'medium_term', since: 100, until: 100.5 }))
  for (const filter of [{ role: 'user' }, { userId: 'bob' }, { tier: 'short_term' }, { since: 100.5 }, { until: 100 }] as const)
    t.notOk(matches({ role: 'assistant', userId: 'ann', tier: 'medium_term', ...filter }), JSON.stringify(filter))
})

t.test('a time is met from its beginning on, and until its end, which is no part of it', async (t) => {
  t.ok(matches({ since: 100 }))
  t.notOk(matches({ until: 100 }))
})

t.test('a filter chooses once it has any condition', async (t) => {
  t.notOk(isSelective({}))
  t.ok(isSelective({ since: 0 }))
})
