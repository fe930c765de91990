/** Memories as responses show them, and filters that select them. */
import type { Role, Tier } from '../session.js'

/** All given fields must match. Times are epoch seconds, `since` inclusive, `until` exclusive. */
export interface MemoryFilter {
  readonly role?: Role
  readonly userId?: string
  readonly tier?: Tier
  readonly since?: number
  readonly until?: number
}

export interface MemoryView {
  readonly memoryHash: string
  readonly memoryId: string
  readonly text: string
  readonly importance: number
  readonly accessCount: number
  readonly timestamp: number
  readonly tier: Tier
  readonly role: Role
  readonly userId: string | null
  readonly pinned: boolean
}
