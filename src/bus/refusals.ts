/** Errors of requests over a bus. */
import { DomainError } from '../domain/errors.js'

/** Error for a request that was not delivered: there is no connection, or nobody at its other end. */
export function unreachable(): DomainError {
  return new DomainError('unreachable', 'Nobody answers here at the moment')
}
