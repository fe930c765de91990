/** Errors of requests over a bus. */
import { DomainError, hasCode, isDomainError } from '../domain/errors.js'

/** Error for a request that was not delivered: there is no connection, or nobody at its other end. */
export function unreachable(): DomainError {
  return new DomainError('unreachable', 'Nobody answers here at the moment')
}

/** Null for a request without an answer, whether nobody answered or nobody is there: both may be transient. Other errors are thrown. */
export function unlessAnswered(error: unknown): null {
  if (isDomainError(error)) return null
  throw error
}

/**
 * Returns the error of a request whose handler has answered. `busy` would say that nothing was done: where there is no room to pack, keep
 * or assemble the answer, the outcome is unknown to the caller.
 */
export function withoutAnswer(error: unknown): unknown {
  if (!hasCode(error, 'busy')) return error
  return new DomainError('outcome_unknown', 'There was no room between the nodes for the answer; whether it was done is not known')
}
