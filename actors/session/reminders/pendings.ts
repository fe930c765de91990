/** Sessions of this node with texts that are not embedded yet. Each is reminded, live or passivated, until it has none. */
import { type Address, addressKey } from '../../../src/domain/address.js'

/** Sessions reminded per second: each tries the embedder. While that is away, one try decides for all of them. */
const SESSIONS_A_SLICE = 32

/** Longest back-off of one session in seconds: also the cost of a text that the model refuses. */
const PAUSE_S_MAX = 8

export interface Pendings {
  /** Sets the number of texts that a session has to embed; 0 drops the session. */
  note(address: Address, count: number): void
  /** Returns the next sessions to remind at `now`, epoch seconds, in turns. A session without progress is reminded less often each time. */
  due(now: number): Address[]
  /** Number of texts of all sessions that are not embedded. */
  total(): number
}

interface Waiting {
  readonly address: Address
  readonly count: number
  readonly pauseS: number
  /** Epoch seconds. */
  readonly notBefore: number
}

/** Whether a starting node has to activate the session to embed its texts. */
export function hasPending({ pending }: { readonly pending: { readonly size: number } }): boolean {
  return pending.size > 0
}

export function createPendings(): Pendings {
  const waiting = new Map<string, Waiting>()
  return {
    note(address, count) {
      const key = addressKey(address)
      if (count === 0) waiting.delete(key)
      // Stryker disable next-line UnaryOperator: a time in the far future is due at once as well
      else if (waiting.get(key)?.count !== count) waiting.set(key, { address, count, pauseS: 1, notBefore: -Infinity })
    },
    due(now) {
      const next = [...waiting].filter(([, { notBefore }]) => now >= notBefore || notBefore > now + PAUSE_S_MAX).slice(0, SESSIONS_A_SLICE)
      for (const [key, entry] of next) {
        waiting.delete(key)
        waiting.set(key, { ...entry, pauseS: Math.min(PAUSE_S_MAX, entry.pauseS * 2), notBefore: now + entry.pauseS })
      }
      return next.map(([, { address }]) => address)
    },
    total: () => [...waiting.values()].reduce((sum, { count }) => sum + count, 0)
  }
}
