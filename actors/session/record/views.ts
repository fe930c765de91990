/** Views of memories, with the fields that are derived instead of stored. */
import type { MemoryView } from '../../../src/domain/commands/memory-view.js'
import type { MemoryEntry, Tier } from '../../../src/domain/session.js'
import { effectiveTier } from '../../../src/domain/tiers.js'
import type { SessionState } from './state.js'

/** Returns the effective tier: the base tier, raised by importance, use and age. */
export function tierOf(state: SessionState, entry: MemoryEntry): Tier {
  const { memory, stats } = entry
  return effectiveTier({
    baseTier: memory.baseTier,
    importance: stats.importance,
    accessCount: stats.accessCount,
    ageTurns: Math.max(0, state.head.interactionCount - memory.turn)
  })
}

export function memoryView(state: SessionState, entry: MemoryEntry): MemoryView {
  const { memory, stats } = entry
  return {
    memoryHash: memory.hash,
    memoryId: memory.id,
    text: memory.text,
    importance: stats.importance,
    accessCount: stats.accessCount,
    timestamp: memory.timestamp,
    tier: tierOf(state, entry),
    role: memory.role,
    userId: memory.userId,
    pinned: stats.isPinned === true
  }
}

/** Number of memories that have not expired. */
export function liveCount(state: SessionState, now: number): number {
  return state.corpus.size - state.expiring.countBy(now)
}
