import type { Erased, EraseUser } from '../../../src/domain/commands/erasure.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { auditErasure } from '../record/audit.js'
import { DELTA } from '../record/head.js'
import type { SessionState } from '../record/state.js'
import type { Work } from '../record/work.js'
import { forget } from '../semantic-state/forget.js'
import { unhold } from '../turn/isolate.js'

/**
 * Erases a data subject: brings the session to the state it would have if the subject had never said or been told anything in it. Removes
 * memories of every role, held inputs, links, folds and everything derived from them, and whole deltas that may contain the subject's
 * memories. Counters stay. If the session holds nothing of the subject, nothing is written.
 */
export function* eraseUser(work: Work, { userId }: EraseUser): Pieces<Erased> {
  const { state, journal, now } = work
  state.removals += 1
  const memories = yield* memoriesOf(state, userId)
  const held = [...state.held.values()].filter((input) => input.userId === userId)
  const deltas = [...state.deltas.values()].filter(({ users }) => users === null || users.includes(userId))
  if (memories.length + held.length + deltas.length === 0) return { erasedMemories: 0, isAffected: false }

  journal.noteErasure()
  if (memories.length > 0) yield* forget(work, new Set(memories.map(({ memory }) => memory.id)))
  for (const { id } of held) unhold(work, id)
  for (const { id } of deltas) {
    state.deltas.delete(id)
    journal.remove(DELTA, id)
  }
  const erasedMemories = memories.filter(({ memory }) => isAlive(memory, now)).length
  auditErasure(work, { userId, erasedMemories })
  return { erasedMemories, isAffected: true }
}

/** Returns the memories of a data subject, in order. Stops scanning once all are found. */
function* memoriesOf({ corpus }: SessionState, userId: string): Pieces<MemoryEntry[]> {
  const found: MemoryEntry[] = []
  const count = corpus.countOf(userId)
  for (const entry of corpus.ordered()) {
    if (found.length === count) break
    if (entry.memory.userId === userId) found.push(entry)
    yield
  }
  return found
}
