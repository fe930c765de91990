/** Iterations of the event loop. */

/** Resolves in a later iteration, after everything that waits now, so that long work in pieces does not block others. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Calls `listener` in this iteration, after all promises that can settle by themselves have settled. */
export function whenSettled(listener: () => void): void {
  // A nextTick requested from a promise reaction runs only when no reactions are left.
  queueMicrotask(() => process.nextTick(listener))
}
