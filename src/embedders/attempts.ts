/** Deduplicates slow attempts that may fail: never two at once for one key, and none too soon after a failure. */
import { createSharedEntries, entryKey } from '../domain/fairness/shared-entries.js'
import type { Clock } from '../ports.js'
import { OWN_SUBJECT } from './batch-queue.js'

/** Failures remembered. Bounded because names come from clients: invented ones could fill the heap. */
const FAILURES_MAX = 256

/** Attempts for one `subject`, hidden from other subjects; without a subject, shared by all. */
export type Attempt = <Value>(key: string, make: () => Promise<Value>, subject?: string) => Promise<Value>

/**
 * Runs `make`, at most once at a time per key and subject; concurrent callers share its result. For `failureTtlMs` after a failure, the
 * same error is thrown without another attempt. Successes are not cached: the caller keeps them. One key must always stand for one type of
 * value.
 */
export function createAttempts({ clock, failureTtlMs }: { clock: Clock; failureTtlMs: number }): Attempt {
  const failures = createSharedEntries<{ readonly error: unknown; readonly untilMs: number }>(FAILURES_MAX)
  const underWay = new Map<string, Promise<unknown>>()

  return async <Value>(name: string, make: () => Promise<Value>, subject = OWN_SUBJECT): Promise<Value> => {
    const key = entryKey(subject, name)
    const failure = failures.get(key)
    if (failure !== undefined && clock.monotonicMs() < failure.untilMs) throw failure.error
    failures.delete(key)
    const promise = (underWay.get(key) as Promise<Value> | undefined) ?? make()
    underWay.set(key, promise)
    try {
      return await promise
    } catch (error) {
      failures.keep(subject, key, { error, untilMs: clock.monotonicMs() + failureTtlMs })
      throw error
    } finally {
      if (underWay.get(key) === promise) underWay.delete(key)
    }
  }
}
