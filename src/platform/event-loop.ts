/** Iterations of the event loop. */

/** Resolves after everything else that waits in the event loop: long work in pieces lets others in between. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
