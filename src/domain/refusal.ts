/** A refusal as plain data, to cross between the parts of a process and between nodes. */
import { DomainError, type ErrorCode, isDomainError } from './errors.js'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly loc?: readonly (string | number)[]
}

/** All error codes, to validate input from other nodes. */
const CODES: Readonly<Record<ErrorCode, true>> = {
  session_missing: true,
  memory_missing: true,
  cluster_missing: true,
  member_missing: true,
  region_missing: true,
  observer_missing: true,
  user_missing: true,
  already_exists: true,
  in_use: true,
  invalid_input: true,
  malformed_payload: true,
  entity_missing: true,
  memory_full: true,
  record_full: true,
  memory_exhausted: true,
  limit_reached: true,
  busy: true,
  unreachable: true,
  not_owner: true,
  draining: true,
  deadline_passed: true,
  outcome_unknown: true,
  answer_gone: true,
  restart_limited: true,
  fenced: true,
  storage_unavailable: true,
  embedder_unavailable: true,
  erasure_incomplete: true,
  upstream_unavailable: true,
  upstream_late: true,
  internal: true
}

/** Whether the value has the form of a refusal from another node. */
export function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== 'object' || value === null) return false
  const { code, message, loc } = value as Partial<Record<keyof Refusal, unknown>>
  const isPath = loc === undefined || (Array.isArray(loc) && loc.every((part) => typeof part === 'string' || typeof part === 'number'))
  return typeof code === 'string' && Object.hasOwn(CODES, code) && typeof message === 'string' && isPath
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
