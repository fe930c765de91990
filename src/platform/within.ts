/** Work that nobody waits for longer than so. */
import type { Cancel, Clock } from '../ports.js'

/** What the work resolves to, or undefined when it has not by then. */
export async function within<T>(work: Promise<T>, { clock, limitMs }: { clock: Clock; limitMs: number }): Promise<T | undefined> {
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
