/** What a request over a bus is refused with. */
import { DomainError } from '../domain/errors.js'

/** What a caller is told that cannot be served for want of a connection, or of anybody at its other end: nothing was handed over. */
export function unreachable(): DomainError {
  return new DomainError('unreachable', 'Nobody answers here at the moment')
}

/** Nothing is known about what was asked. */
export function late(): DomainError {
  return new DomainError('deadline_passed', 'No answer came in time')
}
