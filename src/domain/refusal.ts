/** A refusal as plain data, to cross between the parts of a process and between nodes. */
import { DomainError, ERROR_CODES, type ErrorCode, isDomainError } from './errors.js'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly loc?: readonly (string | number)[]
}

const CODES: ReadonlySet<unknown> = new Set(ERROR_CODES)

/** Whether the value has the form of a refusal from another node. */
export function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== 'object' || value === null) return false
  const { code, message, loc } = value as Partial<Record<keyof Refusal, unknown>>
  const isPath = loc === undefined || (Array.isArray(loc) && loc.every((part) => typeof part === 'string' || typeof part === 'number'))
  return CODES.has(code) && typeof message === 'string' && isPath
}

/**
 * Converts an error to a refusal. Only code, message and field cross; the cause stays local. Other errors become `internal`, without
 * details.
 */
export function toRefusal(error: unknown): Refusal {
  if (!isDomainError(error)) return { code: 'internal', message: 'Internal error' }
  const { code, message, loc } = error
  return loc === undefined ? { code, message } : { code, message, loc }
}

/** Converts a refusal back to an error. */
export function toDomainError({ code, message, loc }: Refusal): DomainError {
  return new DomainError(code, message, loc === undefined ? {} : { loc })
}
