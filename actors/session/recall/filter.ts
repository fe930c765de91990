import type { MemoryFilter } from '../../../src/domain/commands/memory-view.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import type { SessionState } from '../record/state.js'
import { tierOf } from '../record/views.js'

/** Whether a memory meets every condition of the filter. */
export function matchesFilter(state: SessionState, entry: MemoryEntry, filter: MemoryFilter): boolean {
  const { memory } = entry
  if (filter.role !== undefined && memory.role !== filter.role) return false
  if (filter.userId !== undefined && memory.userId !== filter.userId) return false
  if (filter.since !== undefined && memory.timestamp < filter.since) return false
  if (filter.until !== undefined && memory.timestamp >= filter.until) return false
  return filter.tier === undefined || tierOf(state, entry) === filter.tier
}

/** Whether the filter has any condition. Without one, a search need not test each memory. */
export function isSelective(filter: MemoryFilter): boolean {
  return Object.values(filter).some((condition) => condition !== undefined)
}
