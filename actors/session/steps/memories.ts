/** Steps that read, list and delete memories. */
import type { ControlReplies, DeleteMemory, ListMemories } from '../../../src/domain/commands/control-commands.js'
import type { MemoryView } from '../../../src/domain/commands/memory-view.js'
import type { ReadMemory } from '../../../src/domain/commands/session-commands.js'
import { notFound } from '../../../src/domain/errors.js'
import { isAlive } from '../../../src/domain/expiry.js'
import { PAGE_CHARS_MAX } from '../../../src/domain/limits.js'
import { createPace, isPauseDue, type Pieces } from '../../../src/domain/pieces.js'
import type { Memory } from '../../../src/domain/session.js'
import { matchesFilter } from '../recall/filter.js'
import { auditDeletion } from '../record/audit.js'
import { hashText } from '../record/hash.js'
import { memoryView } from '../record/views.js'
import type { Work } from '../record/work.js'
import { forget } from '../semantic-state/forget.js'
import { unshare } from '../sharing/findings.js'
import { unhold } from '../turn/isolate.js'

/** Returns one memory in full. Throws `memory_missing` for an unknown or expired one. */
export function* readMemory({ state, now }: Work, command: ReadMemory): Pieces<MemoryView> {
  const entry = (yield* state.corpus.allByHash(command.hash)).find((one) => isAlive(one.memory, now))
  if (entry === undefined) throw notFound('Memory')
  return memoryView(state, entry)
}

/** Memories examined in one piece of work: about a millisecond. */
const MEMORIES_A_PIECE = 1_024

/**
 * Returns one page of the live memories that match, oldest first; shorter where their texts are long. Throws `memory_missing` if `after` is
 * unknown.
 */
export function* listMemories({ state, now }: Work, command: ListMemories): Pieces<ControlReplies['memory.list']> {
  const after = command.after === undefined ? undefined : state.corpus.get(command.after)
  if (command.after !== undefined && after === undefined) throw notFound('Memory')
  const memories: MemoryView[] = []
  let chars = 0
  let looked = 0
  for (const entry of state.corpus.ordered(after?.memory.seq)) {
    if (++looked % MEMORIES_A_PIECE === 0) yield
    if (!isAlive(entry.memory, now) || !matchesFilter(state, entry, command.filter)) continue
    const isFull = memories.length === command.limit || (memories.length > 0 && chars + entry.memory.text.length > PAGE_CHARS_MAX)
    if (isFull) return { memories, next: memories.at(-1)?.memoryId ?? null }
    chars += entry.memory.text.length
    memories.push(memoryView(state, entry))
  }
  return { memories, next: null }
}

/**
 * Deletes all memories with this text, and brings the session to the state it would have without them. Held inputs with this text, and
 * copies at the clusters, are removed too.
 */
export function* deleteMemory(work: Work, command: DeleteMemory): Pieces<ControlReplies['memory.delete']> {
  const { state, now } = work
  const memories: Memory[] = []
  const ids = new Set<string>()
  const pace = createPace()
  for (const { memory } of yield* state.corpus.allByHash(command.hash)) {
    if (isPauseDue(pace, 1 / MEMORIES_A_PIECE)) yield
    if (!isAlive(memory, now)) continue
    memories.push(memory)
    ids.add(memory.id)
  }
  if (ids.size === 0) throw notFound('Memory')
  yield* forget(work, ids)
  unshare(work, [command.hash])
  yield* auditDeletion(work, memories)
  for (const { id, text } of [...state.held.values()]) if (hashText(text) === command.hash) unhold(work, id)
  return { memoryHash: command.hash, deleted: true }
}
