/** The tries of one ask at the nodes that own its actor, and what its asker is told after each. Decides; `forwarding.ts` acts. */
import { DomainError, type ErrorCode } from '../../src/domain/errors.js'
import { type AskAnswer, refuse } from '../asking/envelope.js'

/** Tries of an owner that has too much to do, before its refusal is passed on: about 0.3 s. */
const BUSY_TRIES_MAX = 4

/** Processes that may end while they have one ask: two do not by chance, and a third one is not risked. */
const ENDED_OWNERS_MAX = 2

/** Certainly not carried out: nobody was there, or its node or actor is not, or no longer, the one to do it. */
const NOT_DONE: ReadonlySet<ErrorCode> = new Set(['unreachable', 'not_owner', 'draining', 'fenced'])

/** Says what became of the very request, whichever copy of it is refused: it was done, and nothing of it will be again. */
const DEFINITE: ErrorCode = 'answer_gone'

/** How a try ended: its answer says it, this node took it on no more, or nobody knows whether its owner carried it out. */
export type Fate = 'told' | 'kept_out' | 'owner_ended' | 'line_lost'

export interface Tried {
  readonly answer: AskAnswer
  readonly fate: Fate
}

/** Those that are over. */
export interface Tries {
  /** When the first one began that may have been carried out. */
  readonly unknownSinceMs: number | null
  readonly busy: number
  readonly endedOwners: number
  readonly lostLines: number
}

/** Before the first try here. Another node may have tried it since then. */
export function triesBefore(unknownSinceMs: number | null): Tries {
  return { unknownSinceMs, busy: 0, endedOwners: 0, lostLines: 0 }
}

/** With one more that began then. */
export function withTry(tries: Tries, { answer, fate }: Tried, startedAtMs: number): Tries {
  return {
    unknownSinceMs: isUnknown(fate) ? (tries.unknownSinceMs ?? startedAtMs) : tries.unknownSinceMs,
    busy: tries.busy + Number(codeOf(answer) === 'busy'),
    endedOwners: tries.endedOwners + Number(fate === 'owner_ended'),
    lostLines: tries.lostLines + Number(fate === 'line_lost')
  }
}

export interface Circumstances {
  /** Of the refusal that the last try ended with. */
  readonly code: ErrorCode
  /** Nothing is changed by being done twice. */
  readonly isReading: boolean
  /** Waiting cannot help. */
  readonly isHopeless: boolean
}

/** What the asker is told after the last one of `tries`, or null where another one follows. */
export function answerAfter(tries: Tries, { answer, fate }: Tried, { code, isReading, isHopeless }: Circumstances): AskAnswer | null {
  if (fate === 'owner_ended' && tries.endedOwners === ENDED_OWNERS_MAX) return refuse(abandoned())
  const mayFollow = isUnknown(fate) || NOT_DONE.has(code) || (code === 'busy' && tries.busy < BUSY_TRIES_MAX)
  if (mayFollow && !isHopeless && fate !== 'kept_out') return null
  // A refusal says that this try was not carried out. The one before it may still be, and change what was refused.
  const isUndecided = tries.endedOwners + tries.lostLines > 0 && code !== DEFINITE && !isReading
  return isUndecided ? refuse(undecided(tries.endedOwners > 0 ? GONE : LINE_LOST, code)) : answer
}

function isUnknown(fate: Fate): boolean {
  return fate === 'owner_ended' || fate === 'line_lost'
}

export function codeOf(answer: AskAnswer): ErrorCode | null {
  return 'refusal' in answer ? answer.refusal.code : null
}

/** Why nobody knows what became of an ask. */
const GONE = 'The node that had this is gone'
export const LINE_LOST = 'The line to the node that had this was lost'
export const CUT_OFF = 'This node was cut off from the one that had this'

export function outcomeUnknown(why: string): DomainError {
  return new DomainError('outcome_unknown', `${why}; whether it was done is not known`)
}

/** Of an ask that was tried again, and refused then. */
function undecided(why: string, code: ErrorCode): DomainError {
  return new DomainError('outcome_unknown', `${outcomeUnknown(why).message}, and it was refused when it was tried again (${code})`)
}

/** Of an ask that may be what its owner fell silent over. */
export function abandoned(): DomainError {
  return new DomainError(
    'outcome_unknown',
    'The node that had this stopped answering; what became of it is not known, and it is not tried at another one'
  )
}

export function unreachable(): DomainError {
  return new DomainError('unreachable', 'No node can take this at the moment')
}
