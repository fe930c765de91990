/** Bounds how long work is waited for. */
import type { Cancel, Clock } from '../ports.js'

/** Resolves to the result of the work, or to undefined after `limitMs`. */
export async function orTimeout<T>(work: Promise<T>, { clock, limitMs }: { clock: Clock; limitMs: number }): Promise<T | undefined> {
  let cancel: Cancel = () => undefined
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(limitMs, () => resolve(undefined))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
