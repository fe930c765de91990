/** How a request over a bus is waited for. */
export interface BusRequestOptions {
  readonly deadlineMs: number
  /** Aborted, it ends the wait with `deadline_passed`. */
  readonly signal?: AbortSignal
  /** Told the bytes of an answer that crosses in several messages, before they are fetched; what it throws refuses the answer. */
  readonly largeAnswer?: (bytes: number) => void
  /**
   * Called before the wait ends with `deadline_passed` because a line that was lost meanwhile may have taken the request or its answer
   * along, once there is another. Absent: the wait goes on, for the answer may come over that.
   */
  readonly lineLost?: () => void
}
