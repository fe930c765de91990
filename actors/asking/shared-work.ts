/** Work that runs once at a time, and is shared by those who wait for it. */

/**
 * Runs `work`. A caller that asks while it runs gets the next run, together with all others that do: so a result is never older than its
 * question.
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
