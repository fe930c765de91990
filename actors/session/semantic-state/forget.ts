import type { Pieces } from '../../../src/domain/pieces.js'
import { putEntry, removeEntry } from '../record/entries.js'
import type { Work } from '../record/work.js'
import { withoutAnswersTo } from './known-answer.js'
import { refold } from './refold.js'

/** Removes memories with everything derived from them: rows, index entries, links and folds. */
export function* forget(work: Work, ids: ReadonlySet<string>): Pieces<void> {
  const { state, journal } = work
  journal.noteErasure()
  state.head = { ...state.head, folds: withoutAnswersTo(state, ids) }
  for (const id of ids) {
    for (const answer of state.corpus.answersOf(id)) {
      if (ids.has(answer.memory.id)) continue
      putEntry(work, { ...answer, memory: { ...answer.memory, replyTo: answer.memory.replyTo.filter((question) => question !== id) } })
    }
    removeEntry(work, id)
    yield
  }
  if (state.head.openQuestionId !== null && ids.has(state.head.openQuestionId)) state.head = { ...state.head, openQuestionId: null }
  refold(work)
}

/** Removes the memories that have expired. */
export function* forgetExpired(work: Work): Pieces<void> {
  const ids = yield* work.state.expiring.by(work.now)
  if (ids.size > 0) yield* forget(work, ids)
}
