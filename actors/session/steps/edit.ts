/** Manual edits of a memory: its importance, and whether it is pinned. */
import type { EditMemory } from '../../../src/domain/commands/control-commands.js'
import type { MemoryView } from '../../../src/domain/commands/memory-view.js'
import { DomainError, notFound } from '../../../src/domain/errors.js'
import { isAlive } from '../../../src/domain/expiry.js'
import { createPace, isPauseDue, type Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry, MemoryStats } from '../../../src/domain/session.js'
import { auditEdit } from '../record/audit.js'
import { putEntry, putStats } from '../record/entries.js'
import { pinnedEntries, pinnedProblem } from '../record/pinned.js'
import { memoryView } from '../record/views.js'
import type { Work } from '../record/work.js'

/** Memories looked at, or changed, in one piece of work. */
const MEMORIES_A_PIECE = 512

/**
 * Changes all memories with this text. Returns the first. Pinning removes a memory's expiration for good: the memory stays until it is
 * deleted, erased or reset, and unpinning does not restore the expiration. Throws `memory_missing` for an unknown or expired text, and
 * `limit_reached` if too much would be pinned. Unchanged memories are not written.
 */
export function* editMemory(work: Work, command: EditMemory): Pieces<MemoryView> {
  const { state, now } = work
  const pace = createPace()
  const changed: Change[] = []
  let first: string | undefined
  for (const before of yield* state.corpus.allByHash(command.hash)) {
    if (isPauseDue(pace, 1 / MEMORIES_A_PIECE)) yield
    if (!isAlive(before.memory, now)) continue
    first ??= before.memory.id
    const change = { before, after: edited(before, command) }
    if (isChanged(change)) changed.push(change)
  }
  if (first === undefined) throw notFound('Memory')
  if (command.pinned === true) refuseWhenPinnedFull(work, changed)
  for (const { before, after } of changed) {
    write(work, before, after)
    if (isPauseDue(pace, 1 / MEMORIES_A_PIECE)) yield
  }
  yield* auditEdit(
    work,
    command,
    changed.map(({ after }) => after.memory)
  )
  return memoryView(state, state.corpus.get(first) as MemoryEntry)
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
