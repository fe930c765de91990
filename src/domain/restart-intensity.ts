/**
 * How often a part may fail before its supervisor stops restarting it.
 * Method: restart intensity of the Erlang/OTP supervisor.
 */

/** At most `failuresMax` failures within any `windowMs`. */
export interface RestartIntensity {
  readonly failuresMax: number
  readonly windowMs: number
}

export interface FailureVerdict {
  /** Monotonic milliseconds of the failures still in the window, oldest first; never longer than `failuresMax`. */
  readonly failedAtMs: readonly number[]
  /** True when this failure filled the window: no restart until somebody decides otherwise. */
  readonly isExceeded: boolean
}

/** Adds one failure at `nowMs` to the history of earlier ones and says whether the limit is reached. */
export function recordFailure(failedAtMs: readonly number[], nowMs: number, intensity: RestartIntensity): FailureVerdict {
  const recent = [...failedAtMs.filter((atMs) => nowMs - atMs < intensity.windowMs), nowMs].slice(-intensity.failuresMax)
  return { failedAtMs: recent, isExceeded: recent.length >= intensity.failuresMax }
}
