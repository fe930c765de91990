/** Pinned memories of a session. */
import { PINNED_BYTES_MAX, PINNED_MEMORIES_MAX } from '../../../src/domain/limits.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import type { SessionState } from './state.js'

/** Returns the pinned memories, in no particular order. */
export function pinnedEntries({ pinned, corpus }: Pick<SessionState, 'pinned' | 'corpus'>): MemoryEntry[] {
  return [...pinned].flatMap((id) => corpus.get(id) ?? [])
}

/** Explains why one session may not pin all of these memories; null if it may. */
export function pinnedProblem(pinned: readonly MemoryEntry[]): string | null {
  if (pinned.length > PINNED_MEMORIES_MAX) return `a session pins at most ${String(PINNED_MEMORIES_MAX)} memories`
  const bytes = pinned.reduce((sum, { memory }) => sum + Buffer.byteLength(memory.text, 'utf8'), 0)
  return bytes > PINNED_BYTES_MAX ? `the texts that a session pins have at most ${String(PINNED_BYTES_MAX)} bytes together` : null
}
