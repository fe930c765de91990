/** What went wrong with a call: the one error that the client throws, beside a TypeError for what a program gives it. */

export type EngramErrorKind =
  /** 400, 413, 415 or 422: what was sent is not valid. `problems` names the fields of a 422. */
  | 'invalid'
  /** 401: there is no token, or it is not accepted. */
  | 'unauthorized'
  /** 402: the token has expired. */
  | 'expired'
  /** 403 or 421: not from this page, or not under this host name. */
  | 'forbidden'
  /** 404: there is no such thing, or it is not yours; `detail` says which. */
  | 'not_found'
  /** 409: it exists already, is in use or full, or its answer is not kept any more. */
  | 'conflict'
  /** 429. */
  | 'rate_limited'
  /** 5xx. */
  | 'unavailable'
  /** No answer came, or it broke off. Whether the call was carried out is not known. */
  | 'unreachable'
  /** The deadline of the call passed. Whether it was carried out is not known. */
  | 'deadline'
  /** The caller's signal ended it. Whether it was carried out is not known. */
  | 'aborted'
  /** An answer that is not of the interface. */
  | 'unexpected'

/** One field that is not valid. */
export interface Problem {
  /** Where it is, as in `['body', 'memories', 0, 'text']`. */
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

/** Never holds a token. */
export class EngramError extends Error {
  readonly kind: EngramErrorKind
  /** Null when there was no answer. */
  readonly status: number | null
  /** The service's own words, or what happened on the way. */
  readonly detail: string
  /** The fields that are not valid; empty unless the status is 422. */
  readonly problems: readonly Problem[]
  /** Milliseconds after which the service wants to be asked again; null when it does not say. */
  readonly retryAfterMs: number | null
  /**
   * Tries that were made, from 1. A DELETE whose first answer was lost may be answered with 404 when it is tried again: then this is
   * above 1.
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
