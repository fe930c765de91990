/** What changes about a memory, laid out alike for all of them. */
import type { MemoryStats } from '../../../src/domain/session.js'

/**
 * The same, field by field: objects that were made of others by `...` have a layout each, and what goes through many of them then takes
 * several times as long.
 */
export function statsOf({ importance, accessCount, accessedAt, isProtected, segment, isPinned, share }: MemoryStats): MemoryStats {
  if (isPinned === undefined && share === undefined) return { importance, accessCount, accessedAt, isProtected, segment }
  if (isPinned === undefined) return { importance, accessCount, accessedAt, isProtected, segment, share: share as number }
  if (share === undefined) return { importance, accessCount, accessedAt, isProtected, segment, isPinned }
  return { importance, accessCount, accessedAt, isProtected, segment, isPinned, share }
}
