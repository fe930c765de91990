/** Form of an operation's entry in the reference, in addition to its schemas. */

/** Statuses that only some operations return. */
type OwnStatus = 400 | 404 | 409

export interface Exchanged {
  /** Name of the model in the schema. Two operations may share a model; two models never share a name. */
  readonly name?: string
  /** Valid by the schema, and part of one story across all operations: the session `anna`, the cluster `support`. */
  readonly example?: unknown
}

export interface OperationReference {
  /** What a caller has to know beyond the summary. Markdown, whole sentences. */
  readonly description: string
  /** Reasons for the statuses that only some operations return. */
  readonly refusals?: Partial<Record<OwnStatus, string>>
  readonly request?: Exchanged
  readonly answer?: Exchanged
  /** Media type of an answer that is not JSON. */
  readonly mediaType?: string
  /** Media type of the answer when it is streamed. */
  readonly streamType?: string
}

/** Entries by method and path template, as in `POST /v1/run`. */
export type Reference = Readonly<Record<string, OperationReference>>

export const SESSION_MISSING = 'The caller has no such session.'

/** Interface, Limits; and a session's maximum bytes. */
export const SESSION_FULL = 'The session is full, by number of memories or by bytes. Nothing has changed.'

/** Beyond the interface: see `docs/exactly-once.md`. */
export const ANSWER_GONE = 'Or a request with the same `idempotency_key` was handled before, and its answer is no longer kept.'

export const MEMORY_HASH = '0d1c6a3c1f1e9a7c0b6a1f2d3e4c5b6a'
export const MEMORY_ID = '3f1d2c4b-5a69-4788-9796-a5b4c3d2e1f0'
export const CHECKSUM = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** Epoch seconds: 2026-05-04, 09:00 UTC. */
export const TIMESTAMP = 1_777_885_200
