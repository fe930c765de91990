/**
 * Why a request was refused. Stable: a code crosses nodes and is turned into an
 * HTTP status in one place, `src/http/contract/errors.ts`.
 */
export type ErrorCode =
  | 'session_missing'
  | 'memory_missing'
  | 'cluster_missing'
  | 'member_missing'
  | 'region_missing'
  | 'observer_missing'
  | 'user_missing'
  | 'already_exists'
  | 'in_use'
  | 'invalid_input'
  | 'malformed_payload'
  | 'entity_missing'
  | 'memory_full'
  /** A record would take more memory than one may. */
  | 'record_full'
  /** This node has too little memory for it at the moment. Nothing was done. */
  | 'memory_exhausted'
  | 'limit_reached'
  | 'busy'
  /** Nobody took the message: it was certainly not handled. */
  | 'unreachable'
  /** Another node owns the address: certainly not handled. Between nodes only. */
  | 'not_owner'
  | 'draining'
  | 'deadline_passed'
  /** It was handled before, or may have been, and what it was answered is not kept: trying it again under the same id tells no more. */
  | 'outcome_unknown'
  /** A request with the same idempotency key was handled before: it was not run again, and its answer is not kept. */
  | 'answer_gone'
  | 'restart_limited'
  | 'fenced'
  | 'storage_unavailable'
  | 'embedder_unavailable'
  | 'erasure_incomplete'
  | 'upstream_unavailable'
  | 'upstream_late'
  | 'internal'

/**
 * An expected refusal: the caller is told `message` word for word, so it never
 * carries memory text, vectors, tokens or addresses of other parts.
 * Anything else that is thrown is a failure, and a supervisor decides.
 */
export class DomainError extends Error {
  readonly code: ErrorCode
  /** Path of the offending field in the request body, for `invalid_input` only. */
  readonly loc: readonly (string | number)[] | undefined

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; loc?: readonly (string | number)[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.loc = options.loc
  }
}

/** Whether a thrown value is an expected refusal rather than a failure. */
export function isDomainError(value: unknown): value is DomainError {
  return value instanceof DomainError
}

/** What a storage says that is full: nothing was written. */
export const NO_ROOM_LEFT = 'The storage has no room left'

/** Whether a storage said so. It still gives what it has. */
export function isFullStorage(error: unknown): boolean {
  return isDomainError(error) && error.code === 'storage_unavailable' && error.message === NO_ROOM_LEFT
}

/** Why a write was not confirmed. One that nobody answered may have happened, or happen yet, and says so. */
export function unconfirmed(error: unknown): unknown {
  if (!isDomainError(error) || error.code !== 'storage_unavailable' || isFullStorage(error)) return error
  return new DomainError(error.code, `${error.message}; whether it was done is not known`, { cause: error })
}

/** The code of what a system, a server or a library threw, such as `ENOENT`; undefined for what has none. */
export function codeIn(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : undefined
}

type Missing = 'Session' | 'Memory' | 'Entity' | 'Cluster' | 'Member' | 'Region' | 'Observer' | 'User'

/** What a caller is told of something that is not there: the same, wherever that is found out. */
export function notFound(what: Missing): DomainError {
  const name = what.toLowerCase() as Lowercase<Missing>
  return new DomainError(`${name}_missing`, `${what} not found`)
}

/** What a writer is told whose record somebody else has taken over. */
export function takenOver(): DomainError {
  return new DomainError('fenced', 'The record has another writer')
}

export function deadlinePassed(): DomainError {
  return new DomainError('deadline_passed', 'The deadline passed before the work was done')
}
