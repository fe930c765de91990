/** Tracks recent failures by address, and refuses addresses that fail too often. */
import { dropOldest } from '../../src/domain/collections/oldest.js'
import { recordFailure, type RestartIntensity } from '../../src/domain/nodes/restart-intensity.js'

/** Five failures within 30 s are a fault that a restart does not cure. */
const ACTOR_INTENSITY: RestartIntensity = { failuresMax: 5, windowMs: 30_000 }

/** Milliseconds that an address is refused after too many failures: one window, so that an old failure never counts twice. */
const REFUSAL_MS = 30_000

/** Upper bound on the tracked addresses; the one that failed longest ago is dropped first. A supervisor gives up long before. */
const ADDRESSES_MAX = 1_000

interface History {
  failedAtMs: readonly number[]
  refusedUntilMs: number
}

export interface RestartLimiter {
  noteFailure(key: string, nowMs: number): void
  isRefused(key: string, nowMs: number): boolean
}

export function createRestartLimiter(): RestartLimiter {
  const histories = new Map<string, History>()

  return {
    noteFailure(key, nowMs) {
      const before = histories.get(key)
      const { failedAtMs, isExceeded } = recordFailure(before?.failedAtMs ?? [], nowMs, ACTOR_INTENSITY)
      histories.delete(key)
      histories.set(key, isExceeded ? { failedAtMs: [], refusedUntilMs: nowMs + REFUSAL_MS } : { failedAtMs, refusedUntilMs: 0 })
      dropOldest(histories, ADDRESSES_MAX)
    },
    isRefused: (key, nowMs) => (histories.get(key)?.refusedUntilMs ?? nowMs) > nowMs
  }
}
