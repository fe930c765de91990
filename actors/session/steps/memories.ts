/** Steps that list and delete memories. */
import type { ControlReplies, DeleteMemory, ListMemories } from '../../../src/domain/commands/control-commands.js'
import type { MemoryView } from '../../../src/domain/commands/memory-view.js'
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

/** Memories examined in one piece of work: about a millisecond. */
const MEMORIES_A_PIECE = 1_024

/**
 * Returns one page of the live memories that match, oldest first; shorter where their texts are long. `after` is the id of a memory, or
 * `next` of an earlier page. Throws `memory_missing` for the id of none.
 */
export function* listMemories({ state, now }: Work, command: ListMemories): Pieces<ControlReplies['memory.list']> {
  const after = command.after === undefined ? undefined : seqAt(state, command.after)
  const memories: MemoryView[] = []
  let last: string | null = null
  let chars = 0
  let looked = 0
  for (const entry of state.corpus.ordered(after)) {
    if (++looked % MEMORIES_A_PIECE === 0) yield
    if (!isAlive(entry.memory, now) || !matchesFilter(state, entry, command.filter)) continue
    const isFull = memories.length === command.limit || (memories.length > 0 && chars + entry.memory.text.length > PAGE_CHARS_MAX)
    if (isFull) return { memories, next: last }
    chars += entry.memory.text.length
    memories.push(memoryView(state, entry))
    last = `${entry.memory.id}.${String(entry.memory.seq)}`
  }
  return { memories, next: null }
}

/** Returns the sequence number after which to go on. `next` of a page holds it, in case its last memory is deleted meanwhile. */
function seqAt({ corpus }: Work['state'], after: string): number {
  const seq = corpus.get(after)?.memory.seq ?? /\.(\d{1,15})$/.exec(after)?.[1]
  if (seq === undefined) throw notFound('Memory')
  return Number(seq)
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
