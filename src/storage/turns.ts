/** Turns of the event loop, for storages that pack and unpack a lot. */

/** Resolves after everything else that waits in the event loop had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
