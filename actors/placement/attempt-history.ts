/** Retry policy of a forwarded ask: after each try, decides between a retry and the answer for the caller. `forwarding.ts` acts on it. */
import { DomainError, type ErrorCode } from '../../src/domain/errors.js'
import { type AskAnswer, refuse } from '../asking/envelope.js'

/** Tries at a busy owner before its refusal is passed on: about 0.3 s. */
const BUSY_TRIES_MAX = 4

/** Number of owners that may end while they have the ask: two do not end by chance, and a third is not put at risk. */
const ENDED_OWNERS_MAX = 2

/** Refusals that prove the ask did not run: nobody was there, or the node or actor is not, or no longer, the owner. */
const NOT_DONE: ReadonlySet<ErrorCode> = new Set(['unreachable', 'not_owner', 'draining', 'fenced'])

/** Refusal that is definite for every copy of a request: it was done before, and will not be done again. */
const DEFINITE: ErrorCode = 'answer_gone'

/** How a try ended: `told` by its answer; `kept_out` by this node's admission; with the others, it is unknown whether the owner ran it. */
export type AttemptOutcome = 'told' | 'kept_out' | 'owner_ended' | 'line_lost'

export interface Attempt {
  readonly answer: AskAnswer
  readonly fate: AttemptOutcome
}

/** The tries so far. */
interface AttemptHistory {
  /** Start of the first try that may have run; null if there is none. */
  readonly unknownSinceMs: number | null
  readonly busy: number
  readonly endedOwners: number
  readonly lostLines: number
}

/** Returns the tries before the first one here. `unknownSinceMs`: start of an earlier try elsewhere that may have run. */
export function attemptsBefore(unknownSinceMs: number | null): AttemptHistory {
  return { unknownSinceMs, busy: 0, endedOwners: 0, lostLines: 0 }
}

/** Returns `tries` with one more. */
export function withAttempt(tries: AttemptHistory, { answer, fate }: Attempt, startedAtMs: number): AttemptHistory {
  return {
    unknownSinceMs: isUnknown(fate) ? (tries.unknownSinceMs ?? startedAtMs) : tries.unknownSinceMs,
    busy: tries.busy + Number(codeOf(answer) === 'busy'),
    endedOwners: tries.endedOwners + Number(fate === 'owner_ended'),
    lostLines: tries.lostLines + Number(fate === 'line_lost')
  }
}

interface Circumstances {
  /** Code of the refusal that the last try ended with. */
  readonly code: ErrorCode
  /** Whether the command only reads, so that running it twice changes nothing. */
  readonly isReading: boolean
  /** Whether a retry cannot help. */
  readonly isHopeless: boolean
}

/** Returns the answer for the caller after the last of `tries`, or null if another try follows. */
export function answerAfter(
  tries: AttemptHistory,
  { answer, fate }: Attempt,
  { code, isReading, isHopeless }: Circumstances
): AskAnswer | null {
  if (fate === 'owner_ended' && tries.endedOwners === ENDED_OWNERS_MAX) return refuse(abandoned())
  const mayFollow = isUnknown(fate) || NOT_DONE.has(code) || (code === 'busy' && tries.busy < BUSY_TRIES_MAX)
  if (mayFollow && !isHopeless && fate !== 'kept_out') return null
  // The refusal proves only that this try did not run. An earlier try may have run, or still run, and change what was refused.
  const isUndecided = tries.endedOwners + tries.lostLines > 0 && code !== DEFINITE && !isReading
  return isUndecided ? refuse(undecided(tries.endedOwners > 0 ? GONE : LINE_LOST, code)) : answer
}

function isUnknown(fate: AttemptOutcome): boolean {
  return fate === 'owner_ended' || fate === 'line_lost'
}

export function codeOf(answer: AskAnswer): ErrorCode | null {
  return 'refusal' in answer ? answer.refusal.code : null
}

/** Reasons for an unknown outcome. */
const GONE = 'The node that had this is gone'
export const LINE_LOST = 'The line to the node that had this was lost'
export const CUT_OFF = 'This node was cut off from the one that had this'

export function outcomeUnknown(why: string): DomainError {
  return new DomainError('outcome_unknown', `${why}; whether it was done is not known`)
}

/** Error for an ask of unknown outcome whose retry was refused. */
function undecided(why: string, code: ErrorCode): DomainError {
  return new DomainError('outcome_unknown', `${outcomeUnknown(why).message}, and it was refused when it was tried again (${code})`)
}

/** Error for an ask that is not retried because it may be the cause of its owner's end or silence. */
export function abandoned(): DomainError {
  return new DomainError(
    'outcome_unknown',
    'The node that had this stopped answering; what became of it is not known, and it is not tried at another one'
  )
}

export function unreachable(): DomainError {
  return new DomainError('unreachable', 'No node can take the request at the moment')
}
