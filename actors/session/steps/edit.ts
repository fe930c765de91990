/** Manual edits of a memory: its importance, and whether it is pinned. */
import type { EditMemory } from '../../../src/domain/commands/control-commands.js'
import type { MemoryView } from '../../../src/domain/commands/memory-view.js'
import { DomainError, notFound } from '../../../src/domain/errors.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry, MemoryStats } from '../../../src/domain/session.js'
import { auditEdit } from '../record/audit.js'
import { putEntry, putStats } from '../record/entries.js'
import { pinnedEntries, pinnedProblem } from '../record/pinned.js'
import { memoryView } from '../record/views.js'
import type { Work } from '../record/work.js'

/** Memories changed in one piece of work. */
const CHANGES_A_PIECE = 512

/**
 * Changes all memories with this text. Returns the first. Pinning removes a memory's expiration for good: the memory stays until it is
 * deleted, erased or reset, and unpinning does not restore the expiration. Throws `memory_missing` for an unknown or expired text, and
 * `limit_reached` if too much would be pinned. Unchanged memories are not written.
 */
export function* editMemory(work: Work, command: EditMemory): Pieces<MemoryView> {
  const { state, now } = work
  const entries = (yield* state.corpus.allByHash(command.hash)).filter((entry) => isAlive(entry.memory, now))
  if (entries.length === 0) throw notFound('Memory')
  const changed = entries.map((entry) => ({ before: entry, after: edited(entry, command) })).filter(isChanged)
  if (command.pinned === true) refuseWhenPinnedFull(work, changed)
  for (const [at, { before, after }] of changed.entries()) {
    write(work, before, after)
    if (at % CHANGES_A_PIECE === CHANGES_A_PIECE - 1) yield
  }
  yield* auditEdit(
    work,
    command,
    changed.map(({ after }) => after.memory.userId)
  )
  return memoryView(state, state.corpus.get(entries[0]?.memory.id ?? '') ?? (entries[0] as MemoryEntry))
}

interface Change {
  readonly before: MemoryEntry
  readonly after: MemoryEntry
}

function edited({ memory, stats }: MemoryEntry, { importance, pinned }: EditMemory): MemoryEntry {
  const { isPinned: was, ...others } = stats
  const isPinned = pinned ?? was === true
  const after: MemoryStats = { ...others, importance: importance ?? stats.importance, ...(isPinned && { isPinned }) }
  return { memory: isPinned && memory.expiresAt !== null ? { ...memory, expiresAt: null } : memory, stats: after }
}

function isChanged({ before, after }: Change): boolean {
  return before.stats.importance !== after.stats.importance || before.stats.isPinned !== after.stats.isPinned
}

function refuseWhenPinnedFull({ state }: Work, changed: readonly Change[]): void {
  const added = changed.filter(({ before }) => before.stats.isPinned !== true).map(({ after }) => after)
  const problem = added.length === 0 ? null : pinnedProblem([...pinnedEntries(state), ...added])
  if (problem !== null) throw new DomainError('limit_reached', `Nothing was pinned: ${problem}`)
}

/** Writes a change. The memory's own row, which may be large, is written only if its expiration is removed. */
function write(work: Work, before: MemoryEntry, after: MemoryEntry): void {
  if (before.memory !== after.memory) {
    putEntry(work, after)
    return
  }
  putStats(work, after)
  if (after.stats.isPinned) work.state.pinned.add(after.memory.id)
  else work.state.pinned.delete(after.memory.id)
}
