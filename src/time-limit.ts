/** Time limits and pauses. */
import { DomainError } from './domain/errors.js'
import { STORAGE_MS_MAX } from './domain/limits.js'
import type { Cancel, Clock } from './ports.js'

interface TimeLimit {
  readonly clock: Pick<Clock, 'after'>
  readonly limitMs: number
}

/** Settles as `work` does, or rejects with `late()` after `limitMs`. A later outcome of `work` is dropped, a rejection included. */
export function withTimeLimit<T>(work: Promise<T>, options: TimeLimit & { readonly late: () => Error }): Promise<T> {
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

/** Settles as `work` does, or resolves to undefined after `limitMs`. */
export async function orTimeout<T>(work: Promise<T>, { clock, limitMs }: TimeLimit): Promise<T | undefined> {
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

/** Settles as a call of the storage does, or rejects with `storage_unavailable` after `limitMs`. */
export function fromStorage<T>(
  call: Promise<T>,
  { clock, limitMs = STORAGE_MS_MAX }: Pick<TimeLimit, 'clock'> & Partial<TimeLimit>
): Promise<T> {
  const late = () => new DomainError('storage_unavailable', 'The storage did not answer in time')
  return withTimeLimit(call, { clock, limitMs, late })
}

/** Resolves after `ms` milliseconds; with 0 in the next iteration of the event loop. */
export function pause(clock: TimeLimit['clock'], ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}
