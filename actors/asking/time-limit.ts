/** Waiting with an end. */
import type { Clock } from '../../src/ports.js'

/** What `work` gives, or `late()` thrown after `limitMs`; what comes later is dropped, never unhandled. */
export function withTimeLimit<T>(work: Promise<T>, options: { clock: Clock; limitMs: number; late: () => Error }): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = options.clock.after(options.limitMs, () => reject(options.late()))
    work.then(
      (value) => {
        cancel()
        resolve(value)
      },
      (error: unknown) => {
        cancel()
        reject(error)
      }
    )
  })
}
