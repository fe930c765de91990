/** The one error that the client throws, apart from a TypeError for arguments that cannot be used. */

export type EngramErrorKind =
  /** 400, 413, 415 or 422: the request is not valid. `problems` names the fields of a 422. */
  | 'invalid'
  /** 401: the token is missing or not accepted. */
  | 'unauthorized'
  /** 402: the token has expired. */
  | 'expired'
  /** 403 or 421: requests from this origin, or under this host name, are not allowed. */
  | 'forbidden'
  /** 404: the resource does not exist or belongs to somebody else; `detail` says which resource. */
  | 'not_found'
  /** 409: it already exists, is in use or is full, or its answer is no longer kept. */
  | 'conflict'
  /** 429: too many requests. */
  | 'rate_limited'
  /** 5xx: the service failed or is not available. */
  | 'unavailable'
  /** No answer came, or it broke off. Whether the call was carried out is unknown. */
  | 'unreachable'
  /** The deadline of the call passed. Whether it was carried out is unknown. */
  | 'deadline'
  /** The caller's signal aborted the call. Whether it was carried out is unknown. */
  | 'aborted'
  /** The answer is not one that the interface defines. */
  | 'unexpected'

/** One field that is not valid. */
export interface Problem {
  /** Path of the field, as in `['body', 'memories', 0, 'text']`. */
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

export interface EngramErrorFields {
  readonly kind: EngramErrorKind
  readonly status?: number | null | undefined
  readonly detail: string
  readonly problems?: readonly Problem[] | undefined
  readonly retryAfterMs?: number | null | undefined
  readonly cause?: Error | undefined
}

/** A call that failed. Never contains the token. */
export class EngramError extends Error {
  readonly kind: EngramErrorKind
  /** HTTP status; null when there was no answer. */
  readonly status: number | null
  /** The service's own message, or the client's when there was no answer. */
  readonly detail: string
  /** The fields that are not valid; empty unless the status is 422. */
  readonly problems: readonly Problem[]
  /** Milliseconds to wait before the next call, as the service asked; null when it did not say. */
  readonly retryAfterMs: number | null
  /**
   * Number of attempts made, from 1. Above 1, a `not_found` of a DELETE may mean that an earlier attempt removed the resource and its
   * answer was lost.
   */
  attempts = 1

  constructor({ kind, status = null, detail, problems = [], retryAfterMs = null, cause }: EngramErrorFields) {
    super(status === null ? detail : `${String(status)}: ${detail}`, cause === undefined ? undefined : { cause })
    this.name = 'EngramError'
    this.kind = kind
    this.status = status
    this.detail = detail
    this.problems = problems
    this.retryAfterMs = retryAfterMs
  }
}

export function isEngramError(value: unknown): value is EngramError {
  return value instanceof EngramError
}
