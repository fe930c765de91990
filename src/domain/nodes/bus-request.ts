/** Options of a request over a bus. */
export interface BusRequestOptions {
  readonly deadlineMs: number
  /** Aborting it ends the wait with `deadline_passed`. */
  readonly signal?: AbortSignal | undefined
  /** Called with the size of an answer in several messages, before they are fetched. If it throws, the answer is refused. */
  readonly largeAnswer?: ((bytes: number) => void) | undefined
  /**
   * Called once a lost connection is back, before the wait ends with `deadline_passed`, because the request or its answer may have been
   * lost with it. When absent, the wait goes on: the answer may come over the new connection.
   */
  readonly lineLost?: (() => void) | undefined
}
