/** Deduplicates slow attempts that may fail: never two at once for one key, and none too soon after a failure. */
import type { Clock } from '../ports.js'

/** Failures remembered. Bounded because names come from clients: invented ones could fill the heap. */
const FAILURES_MAX = 256

export type Attempt = <Value>(key: string, make: () => Promise<Value>) => Promise<Value>

/**
 * Runs `make`, at most once at a time per key; concurrent callers share its result. For `failureTtlMs` after a failure, the same error is
 * thrown without another attempt. Successes are not cached: the caller keeps them. One key must always stand for one type of value.
 */
export function createAttempts({ clock, failureTtlMs }: { clock: Clock; failureTtlMs: number }): Attempt {
  const failures = new Map<string, { readonly error: unknown; readonly untilMs: number }>()
  const underWay = new Map<string, Promise<unknown>>()

  return async <Value>(key: string, make: () => Promise<Value>): Promise<Value> => {
    const failure = failures.get(key)
    if (failure !== undefined && clock.monotonicMs() < failure.untilMs) throw failure.error
    failures.delete(key)
    const promise = (underWay.get(key) as Promise<Value> | undefined) ?? make()
    underWay.set(key, promise)
    try {
      return await promise
    } catch (error) {
      failures.set(key, { error, untilMs: clock.monotonicMs() + failureTtlMs })
      const oldest = failures.keys().next()
      if (failures.size > FAILURES_MAX && oldest.done === false) failures.delete(oldest.value)
      throw error
    } finally {
      if (underWay.get(key) === promise) underWay.delete(key)
    }
  }
}
