/** Work that runs one at a time, with its result shared by all callers that wait for it. */

/**
 * Returns a function that runs `work`. Calls during a run share the next run, not the one under way: a result never stems from before its
 * call.
 */
export function createSharedWork<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  let next: Promise<Result> | null = null
  const start = (): Promise<Result> => {
    const run = work().finally(() => {
      running = null
    })
    running = run
    return run
  }
  return () => {
    if (running === null) return start()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        return start()
      })
    return next
  }
}
