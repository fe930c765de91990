/** Trying a call until it is answered: within a deadline, a little later each time, and again only where that is safe. */
import { EngramError, isEngramError } from './engram-error.js'
import type { Timers } from './timers.js'

/** Milliseconds before the second try at most, doubled for each further one up to the longest. */
const BACKOFF_MS_MIN = 100
const BACKOFF_MS_MAX = 5_000

/** Statuses of something that may pass. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504])

export interface AttemptOptions {
  /** Milliseconds for all tries and the waits between them. */
  readonly deadlineMs: number
  /** Tries after the first one at most, from 0. */
  readonly retries: number
  /** Whether a second try is safe when the first one may have been carried out. */
  readonly isRepeatable: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * What `work` gives. Rejects with an EngramError that says how often it was tried; `work` rejects with such ones, and ends with its signal.
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

/** One try. What ends it by time or by the caller is told as such, whatever `work` makes of it. */
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

/** Too many requests are refused before anything is done; of all else nobody knows. */
function isWorthwhile({ kind, status }: EngramError, isRepeatable: boolean): boolean {
  if (kind === 'rate_limited') return true
  return isRepeatable && (kind === 'unreachable' || (status !== null && PASSING.has(status)))
}

/** Milliseconds before the next try: anything up to the doubled time, and never before the service wants it. */
export function backoffMs(attempts: number, retryAfterMs: number | null, { random }: Pick<Timers, 'random'>): number {
  const chosenMs = random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (attempts - 1))
  return (retryAfterMs ?? 0) + chosenMs
}

/** Rejects when `signal` ends. */
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
