/** Limits how often a part may fail before its supervisor stops restarting it: the restart intensity of the Erlang/OTP supervisor. */

/** At most `failuresMax` failures within any `windowMs`. */
export interface RestartIntensity {
  readonly failuresMax: number
  readonly windowMs: number
}

interface FailureVerdict {
  /** Monotonic milliseconds of the failures within the window, oldest first; at most `failuresMax`. */
  readonly failedAtMs: readonly number[]
  /** True when this failure reached the limit: no restart until somebody decides otherwise. */
  readonly isExceeded: boolean
}

/** Adds a failure at `nowMs` to the earlier ones and decides whether the limit is reached. */
export function recordFailure(failedAtMs: readonly number[], nowMs: number, intensity: RestartIntensity): FailureVerdict {
  const recent = [...failedAtMs.filter((atMs) => nowMs - atMs < intensity.windowMs), nowMs].slice(-intensity.failuresMax)
  return { failedAtMs: recent, isExceeded: recent.length >= intensity.failuresMax }
}
