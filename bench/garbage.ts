/** Garbage collection before memory is read. The process has to run with `--expose-gc`. */

const ROUNDS = 3

/** Collects repeatedly, with an iteration of the event loop in between: buffers outside the heap are freed one round after their owners. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
