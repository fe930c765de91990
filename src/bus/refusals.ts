/** Errors of requests over a bus. */
import { DomainError } from '../domain/errors.js'

/** Error for a request that was not delivered: there is no connection, or nobody at its other end. */
export function unreachable(): DomainError {
  return new DomainError('unreachable', 'Nobody answers here at the moment')
}

/** Error for a request without an answer: whether it was carried out is unknown. */
export function late(): DomainError {
  return new DomainError('deadline_passed', 'No answer came in time')
}
