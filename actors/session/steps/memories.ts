/** Whole memories: list and delete. */
import type { ControlReplies, DeleteMemory, ListMemories } from '../../../src/domain/control-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { DomainError } from '../../../src/domain/errors.js'
import { PAGE_CHARS_MAX } from '../../../src/domain/limits.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { MemoryView } from '../../../src/domain/memory-view.js'
import { matchesFilter } from '../filter.js'
import { unshare } from '../findings.js'
import { forget } from '../forget.js'
import { hashText } from '../hash.js'
import { unhold } from '../isolate.js'
import { memoryView } from '../views.js'
import type { Work } from '../work.js'

/** One page of the live memories that match, oldest first; it ends early where their texts are long. Refused with `memory_missing` when `after` is unknown. */
export function listMemories({ state, now }: Work, command: ListMemories): ControlReplies['memory.list'] {
  const after = command.after === undefined ? undefined : state.corpus.get(command.after)
  if (command.after !== undefined && after === undefined) throw new DomainError('memory_missing', 'Memory not found')
  const memories: MemoryView[] = []
  let chars = 0
  for (const entry of state.corpus.ordered(after?.memory.seq)) {
    if (!isAlive(entry.memory, now) || !matchesFilter(state, entry, command.filter)) continue
    const isFull = memories.length === command.limit || (memories.length > 0 && chars + entry.memory.text.length > PAGE_CHARS_MAX)
    if (isFull) return { memories, next: memories.at(-1)?.memoryId ?? null }
    chars += entry.memory.text.length
    memories.push(memoryView(state, entry))
  }
  return { memories, next: null }
}

/** Deletes every memory of this text, and brings the session to what it would be without it. Inputs held back with this text, and what was shared of it, go too. */
export function* deleteMemory(work: Work, command: DeleteMemory): Pieces<ControlReplies['memory.delete']> {
  const { state, now } = work
  const ids = new Set(
    state.corpus
      .allByHash(command.hash)
      .filter((entry) => isAlive(entry.memory, now))
      .map((entry) => entry.memory.id)
  )
  if (ids.size === 0) throw new DomainError('memory_missing', 'Memory not found')
  yield* forget(work, ids)
  unshare(work, [command.hash])
  for (const { id, text } of [...state.held.values()]) if (hashText(text) === command.hash) unhold(work, id)
  return { memoryHash: command.hash, deleted: true }
}
