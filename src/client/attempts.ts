/** Retries a call within its deadline, with a growing back-off, and only where that is safe. */
import { EngramError, isEngramError } from './engram-error.js'
import type { Timers } from './timers.js'

/** Upper bound on the first back-off, in milliseconds. It doubles with each attempt up to the maximum. */
const BACKOFF_MS_MIN = 100
const BACKOFF_MS_MAX = 5_000

/** Statuses of failures that may be transient. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504])

export interface AttemptOptions {
  /** Deadline over all attempts and the waits between them, in milliseconds. */
  readonly deadlineMs: number
  /** Maximum number of attempts after the first one, from 0. */
  readonly retries: number
  /** Whether a retry is safe when the first attempt may have been carried out. */
  readonly isRepeatable: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the result of `work`, retried as `options` allow. `work` has to reject with EngramErrors and to stop when its signal aborts.
 * Rejects with the last of them; its `attempts` says how often the call was tried.
 */
export async function attempt<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  options: AttemptOptions,
  timers: Timers
): Promise<Result> {
  const endsAtMs = timers.nowMs() + options.deadlineMs
  for (let attempts = 1; ; attempts++) {
    try {
      return await once(work, { leftMs: endsAtMs - timers.nowMs(), signal: options.signal }, timers)
    } catch (error) {
      if (!isEngramError(error)) throw error
      error.attempts = attempts
      const delayMs = backoffMs(attempts, error.retryAfterMs, timers)
      const isOver = attempts > options.retries || timers.nowMs() + delayMs >= endsAtMs
      if (isOver || !isWorthwhile(error, options.isRepeatable)) throw error
      await pause(delayMs, options.signal, timers, attempts)
    }
  }
}

interface Limits {
  readonly leftMs: number
  readonly signal: AbortSignal | undefined
}

/** One attempt. A passed deadline or an abort by the caller is reported as such, whatever `work` makes of it. */
async function once<Result>(work: (signal: AbortSignal) => Promise<Result>, { leftMs, signal }: Limits, timers: Timers): Promise<Result> {
  if (signal?.aborted === true) throw aborted()
  const controller = new AbortController()
  const ending: { error?: EngramError } = {}
  const end = (error: EngramError) => {
    ending.error ??= error
    controller.abort(error)
  }
  const onAbort = () => end(aborted())
  const cancel = timers.after(Math.max(0, leftMs), () => end(new EngramError({ kind: 'deadline', detail: 'No answer came in time' })))
  signal?.addEventListener('abort', onAbort)
  try {
    return await work(controller.signal)
  } catch (error) {
    throw ending.error ?? error
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** A 429 is sent before anything is done. After other failures the call may have been carried out. */
function isWorthwhile({ kind, status }: EngramError, isRepeatable: boolean): boolean {
  if (kind === 'rate_limited') return true
  return isRepeatable && (kind === 'unreachable' || (status !== null && TRANSIENT.has(status)))
}

/** Milliseconds before the next attempt: a random share of the doubled bound, on top of the service's `Retry-After`. */
export function backoffMs(attempts: number, retryAfterMs: number | null, { random }: Pick<Timers, 'random'>): number {
  const chosenMs = random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (attempts - 1))
  return (retryAfterMs ?? 0) + chosenMs
}

/** Waits. Rejects when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal | undefined, timers: Timers, attempts = 1): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      cancel()
      const error = aborted()
      error.attempts = attempts
      reject(error)
    }
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    if (signal?.aborted === true) onAbort()
    else signal?.addEventListener('abort', onAbort)
  })
}

function aborted(): EngramError {
  return new EngramError({ kind: 'aborted', detail: 'The call was ended by its caller' })
}
