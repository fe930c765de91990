/** Keeps slow attempts that may fail from being made twice at once, or again too soon. */
import { createSharedEntries } from '../domain/shared-entries.js'
import type { Clock } from '../ports.js'
import { OWN_SUBJECT } from './batch-queue.js'

/** Failures remembered. Names come from clients: without a bound, invented ones would fill the heap. */
const FAILURES_MAX = 256

/** For a subject, whose attempts tell others nothing, or for all. */
export type Attempt = <Value>(key: string, make: () => Promise<Value>, subject?: string) => Promise<Value>

/**
 * Runs `make`, one at a time for each key of a subject. For `failureTtlMs` after a failure the same error is thrown again without a try.
 * Successes are not remembered: the caller keeps them. One key must always stand for one type of value.
 */
export function createAttempts({ clock, failureTtlMs }: { clock: Clock; failureTtlMs: number }): Attempt {
  const failures = createSharedEntries<{ readonly error: unknown; readonly untilMs: number }>(FAILURES_MAX)
  const underWay = new Map<string, Promise<unknown>>()

  return async <Value>(name: string, make: () => Promise<Value>, subject = OWN_SUBJECT): Promise<Value> => {
    // A subject may be any text, so it comes last.
    const key = `${name} ${subject}`
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
