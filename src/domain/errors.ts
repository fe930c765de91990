/** Reasons of refusals. Stable: codes cross nodes, and one place turns them into HTTP statuses, `src/http/contract/errors.ts`. */
export const ERROR_CODES = [
  'session_missing',
  'memory_missing',
  'cluster_missing',
  'member_missing',
  'region_missing',
  'observer_missing',
  'user_missing',
  'already_exists',
  'in_use',
  'invalid_input',
  'malformed_payload',
  'entity_missing',
  'memory_full',
  /** The record would exceed the memory allowed for one record. */
  'record_full',
  /** This node lacks the memory at the moment. Nothing was done. */
  'memory_exhausted',
  'limit_reached',
  'busy',
  /** Nobody took the message: it was certainly not handled. */
  'unreachable',
  /** Another node owns the address: the request was certainly not handled. Between nodes only. */
  'not_owner',
  'draining',
  'deadline_passed',
  /** The request was handled before, or may have been, and its answer is not kept. Retrying under the same id will tell no more. */
  'outcome_unknown',
  /** A request with the same idempotency key was handled before. It was not run again, and its answer is not kept. */
  'answer_gone',
  'restart_limited',
  'fenced',
  'storage_unavailable',
  'embedder_unavailable',
  'erasure_incomplete',
  'upstream_unavailable',
  'upstream_late',
  'internal'
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/**
 * An expected refusal. Callers see `message` word for word, so it never contains memory text, vectors, tokens or addresses of other parts.
 * Any other thrown value is a failure, which the supervisor handles.
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

/** Whether a thrown value is a refusal with this code. */
export function hasCode(value: unknown, code: ErrorCode): value is DomainError {
  return isDomainError(value) && value.code === code
}

/** Settles as `work` does. A failure of it is thrown as the refusal that `toRefusal` makes of it. */
export async function orRefusal<Result>(work: () => Promise<Result>, toRefusal: (failure: unknown) => DomainError): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isDomainError(error) ? error : toRefusal(error)
  }
}

/** Resolves to whether the work succeeded, whatever its failure. */
export function hasSucceeded(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false
  )
}

/** Message of a full storage. Nothing was written. */
export const NO_ROOM_LEFT = 'The storage has no room left'

/** Whether the error comes from a full storage. Reading still works. */
export function isFullStorage(error: unknown): boolean {
  return hasCode(error, 'storage_unavailable') && error.message === NO_ROOM_LEFT
}

/** Converts the error of an unconfirmed write: if the storage did not answer, the write may still happen, and the message says so. */
export function unconfirmed(error: unknown): unknown {
  if (!hasCode(error, 'storage_unavailable') || isFullStorage(error)) return error
  return new DomainError(error.code, `${error.message}; whether it was done is not known`, { cause: error })
}

/** Error code of the system, a server or a library, such as `ENOENT`; undefined if there is none. */
export function codeIn(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : undefined
}

type Missing = 'Session' | 'Memory' | 'Entity' | 'Cluster' | 'Member' | 'Region' | 'Observer' | 'User'

/** Refusal for something that does not exist; the same wherever that is detected. */
export function notFound(what: Missing): DomainError {
  const name = what.toLowerCase() as Lowercase<Missing>
  return new DomainError(`${name}_missing`, `${what} not found`)
}

/** Refusal for a writer whose record another writer has taken over. */
export function takenOver(): DomainError {
  return new DomainError('fenced', 'The record has another writer')
}

/** Refusal for work that was not begun by its deadline. Nothing was done. */
export function deadlinePassed(): DomainError {
  return new DomainError('deadline_passed', 'The deadline passed before the work was done')
}

/** Refusal for a request that was sent and has no answer. */
export function late(): DomainError {
  return new DomainError('deadline_passed', 'No answer came in time; whether it was done is not known')
}
