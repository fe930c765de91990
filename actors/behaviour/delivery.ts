/** One command on its way through an actor, and what became of it. */
import { DomainError, isDomainError } from '../../src/domain/errors.js'
import type { Clock } from '../../src/ports.js'
import type { Keep } from '../weight/keep.js'
import type { Hold } from '../weight/room.js'
import type { RequestMeta } from './behaviour.js'

/** Any behaviour's command; each behaviour narrows it. */
export interface ActorCommand {
  readonly type: string
}

export interface Delivery {
  readonly command: ActorCommand
  readonly requestId: string
  /** Monotonic milliseconds of this process. */
  readonly deadlineAtMs: number
  /** Monotonic milliseconds of this process at the first try that may have run; absent: this is the first. */
  readonly triedAtMs?: number
  /** Memory that it holds until it is answered. */
  readonly hold: Hold
  /** What it will add to its actor, until its step has run. */
  readonly keep: Keep
  /** See `RequestMeta`. */
  readonly isRepeated?: boolean
  readonly trace?: string
  /** True when the actor was made for this very command. */
  isFresh: boolean
  /** True when another node sent it. */
  readonly isForeign: boolean
  /** Gives the outcome to the caller. Only the first one counts. */
  readonly settle: (outcome: Outcome) => void
}

export type Outcome = { readonly isOk: true; readonly reply: unknown } | { readonly isOk: false; readonly error: DomainError }

/** Gives back the memory that a command has: it is answered. */
export function giveBack({ hold, keep }: Delivery): void {
  hold.close()
  keep.close()
}

/** What a behaviour is told of the request. */
export function requestOf({ requestId, triedAtMs, isRepeated, trace }: Delivery, clock: Clock): RequestMeta {
  const tried = triedAtMs === undefined ? {} : { triedS: (clock.monotonicMs() - triedAtMs) / 1000 }
  return { requestId, now: clock.now(), ...tried, ...(isRepeated === true && { isRepeated }), ...(trace !== undefined && { trace }) }
}

export function refusal(error: unknown): Outcome {
  return { isOk: false, error: isDomainError(error) ? error : internalError(error) }
}

/** What a caller is told of a failure: nothing. The failure itself is its cause. */
export function internalError(cause: unknown): DomainError {
  return new DomainError('internal', 'Internal error', { cause })
}
