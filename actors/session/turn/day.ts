/** Counts turns by day. */
import { dayOf, daysToForget, withTurn } from '../../../src/domain/day-counts.js'
import { DAY } from '../record/head.js'
import { tokensOf, type Work } from '../record/work.js'

interface CountedRun {
  readonly message: string
  readonly isPending: boolean
  readonly isDrifted: boolean
  /** Context block of the reply. */
  readonly context: string
  /** Known answer to the message, empty if its text is not at hand; null for a turn that was no short circuit. */
  readonly knownAnswer: string | null
}

/** Counts a turn once its drift is judged. */
export function countTurn(work: Work, run: CountedRun): void {
  const { state, journal, now } = work
  const day = dayOf(now)
  const counted = withTurn(state.days.get(day), day, {
    driftScore: run.isPending ? null : state.head.driftScore,
    isDrifted: run.isDrifted,
    savedTokens:
      run.knownAnswer === null ? null : tokensOf(work, run.message) + tokensOf(work, run.context) + tokensOf(work, run.knownAnswer)
  })
  state.days.set(day, counted)
  journal.put(DAY, String(day), counted)
  for (const gone of daysToForget(state.days.keys(), day)) {
    state.days.delete(gone)
    journal.remove(DAY, String(gone))
  }
}
