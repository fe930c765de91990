/** Iterations of the event loop, for storages that pack and unpack a lot. */

/** Resolves after everything else that waits in the event loop. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
