/** Memories as they are shown, and the conditions by which they are chosen. */
import type { Role, Tier } from '../session.js'

/** Every given field must hold. Times are epoch seconds, `since` included, `until` excluded. */
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
