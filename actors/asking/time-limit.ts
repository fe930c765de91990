/** Time limits and pauses. */
import { DomainError } from '../../src/domain/errors.js'
import type { Clock } from '../../src/ports.js'

/** Settles as `work` does, or rejects with `late()` after `limitMs`. A later outcome of `work` is dropped, a rejection included. */
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

/** Settles as a call of the storage does, or rejects with `storage_unavailable` after `limitMs`. */
export function fromStorage<T>(call: Promise<T>, { clock, limitMs }: { clock: Clock; limitMs: number }): Promise<T> {
  const late = () => new DomainError('storage_unavailable', 'The storage did not answer in time')
  return withTimeLimit(call, { clock, limitMs, late })
}

/** Resolves after `ms` milliseconds; with 0 in the next iteration of the event loop. */
export function pause(clock: Pick<Clock, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}
