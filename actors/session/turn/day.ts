/** A turn, counted among those of its day. */
import { dayOf, daysToForget, withTurn } from '../../../src/domain/day-counts.js'
import { DAY } from '../record/head.js'
import type { Work } from '../record/work.js'

export interface CountedRun {
  readonly message: string
  readonly isPending: boolean
  readonly isDrifted: boolean
  /** What was put before a reader. */
  readonly context: string
  /** The answer that the message was known to have, as far as it is at hand; null for a turn that was no short circuit. */
  readonly knownAnswer: string | null
}

/** Counts a turn once its drift is judged. */
export function countTurn(work: Work, run: CountedRun): void {
  const { state, journal, now } = work
  const day = dayOf(now)
  const counted = withTurn(state.days.get(day), day, {
    driftScore: run.isPending ? null : state.head.driftScore,
    isDrifted: run.isDrifted,
    savedTokens: run.knownAnswer === null ? null : tokensOf(work, [run.message, run.context, run.knownAnswer])
  })
  state.days.set(day, counted)
  journal.put(DAY, String(day), counted)
  for (const gone of daysToForget(state.days.keys(), day)) {
    state.days.delete(gone)
    journal.remove(DAY, String(gone))
  }
}

/** By the embedder's own tokenizer, or some four characters a token. */
function tokensOf({ prepared }: Work, texts: readonly string[]): number {
  const CHARS_PER_TOKEN = 4
  return texts.reduce((sum, text) => sum + (prepared.embedder?.countTokens(text) ?? Math.ceil(text.length / CHARS_PER_TOKEN)), 0)
}
