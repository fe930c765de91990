/** Turns of the event loop. */

/** Resolves after everything else that waits in the event loop had its turn: long work in pieces lets others in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
