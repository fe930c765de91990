/** A command on its way through an actor, and its outcome. */
import { DomainError, isDomainError } from '../../src/domain/errors.js'
import type { Clock } from '../../src/ports.js'
import type { Reservation } from '../weight/reservation.js'
import type { Hold } from '../weight/room.js'
import type { RequestMeta } from './behaviour.js'

/** Command of any behaviour; each behaviour narrows the type. */
export interface ActorCommand {
  readonly type: string
}

export interface Delivery extends Pick<RequestMeta, 'requestId' | 'isRepeated' | 'trace'> {
  readonly command: ActorCommand
  /** Monotonic milliseconds of this process. */
  readonly deadlineAtMs: number
  /** Monotonic milliseconds of this process at the first try that may have run; absent if this is the first. */
  readonly triedAtMs?: number | undefined
  /** Memory held until the command is answered. */
  readonly hold: Hold
  /** Memory reserved for its actor's growth until its step has run. */
  readonly reservation: Reservation
  /** True when another node sent it. */
  readonly isForeign: boolean
  /** Gives the outcome to the caller. Calls after the first are no-ops. */
  readonly settle: (outcome: Outcome) => void
}

export type Outcome = { readonly isOk: true; readonly reply: unknown } | { readonly isOk: false; readonly error: DomainError }

/** Releases the memory of an answered command. */
export function giveBack({ hold, reservation }: Delivery): void {
  hold.close()
  reservation.close()
}

/** Returns the request as a behaviour sees it. */
export function requestOf({ requestId, triedAtMs, isRepeated, trace }: Delivery, clock: Clock): RequestMeta {
  const triedMs = triedAtMs === undefined ? undefined : clock.monotonicMs() - triedAtMs
  return { requestId, now: clock.now(), triedMs, isRepeated, trace }
}

export function refusal(error: unknown): Outcome {
  return { isOk: false, error: isDomainError(error) ? error : internalError(error) }
}

/** Error for the caller of a command that failed: it tells nothing of the failure, which is its `cause`. */
export function internalError(cause: unknown): DomainError {
  return new DomainError('internal', 'Internal error', { cause })
}
