/** A refusal as data, to cross between parts and nodes. */
import { DomainError, isDomainError, type ErrorCode } from './errors.js'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly loc?: readonly (string | number)[]
}

/** Its cause stays where it happened: only code, message and field cross. Of what is no refusal nothing is told. */
export function toRefusal(error: unknown): Refusal {
  if (!isDomainError(error)) return { code: 'internal', message: 'Internal error' }
  const { code, message, loc } = error
  return loc === undefined ? { code, message } : { code, message, loc }
}

/** The refusal as an error again. */
export function toDomainError({ code, message, loc }: Refusal): DomainError {
  return new DomainError(code, message, loc === undefined ? {} : { loc })
}
