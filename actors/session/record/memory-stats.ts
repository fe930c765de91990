/** Stats of memories, in objects of few layouts. */
import type { MemoryStats } from '../../../src/domain/session.js'

/**
 * Copies stats field by field. Objects made with spread syntax each get a hidden class of their own in V8, and loops over many of them take
 * several times as long.
 */
export function statsOf({ importance, accessCount, accessedAt, isProtected, segment, isPinned, share }: MemoryStats): MemoryStats {
  if (isPinned === undefined && share === undefined) return { importance, accessCount, accessedAt, isProtected, segment }
  if (isPinned === undefined) return { importance, accessCount, accessedAt, isProtected, segment, share: share as number }
  if (share === undefined) return { importance, accessCount, accessedAt, isProtected, segment, isPinned }
  return { importance, accessCount, accessedAt, isProtected, segment, isPinned, share }
}
