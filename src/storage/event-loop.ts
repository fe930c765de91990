/** Yields to the event loop, for storages that encode or decode much data. */

/** Resolves in a later iteration, after everything that waits in the event loop now. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
