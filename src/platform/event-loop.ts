/** Iterations of the event loop. */

/** Resolves after everything else that waits in the event loop: long work in pieces lets others in between. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Calls `listener` in this iteration, once every promise that can settle without another one has. */
export function whenSettled(listener: () => void): void {
  // Node.js comes to a next tick that a promise's reaction asked for when there is none left to call.
  queueMicrotask(() => process.nextTick(listener))
}
