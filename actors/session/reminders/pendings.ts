/** Sessions of this node with vectors still to be made: they are asked for again and again, in memory or put away, until there are none. */
import { type Address, addressKey } from '../../../src/domain/address.js'

/** Sessions asked in one second: each tries the embedder, and one that is away is asked once for all. */
const SESSIONS_A_SLICE = 32

/** Seconds between two tries of one session at most: a text that the model refuses costs no more than that. */
const PAUSE_S_MAX = 8

export interface Pendings {
  /** How many vectors a session waits for; 0 forgets it. */
  note(address: Address, count: number): void
  /** The next ones to be asked at `now`, epoch seconds, in turns; those that nothing came of less often each time. */
  due(now: number): Address[]
  /** Vectors that all of them wait for. */
  total(): number
}

interface Waiting {
  readonly address: Address
  readonly count: number
  readonly pauseS: number
  /** Epoch seconds. */
  readonly notBefore: number
}

/** Whether a starting node has to activate the session for its vectors. */
export function hasPending({ pending }: { readonly pending: { readonly size: number } }): boolean {
  return pending.size > 0
}

export function createPendings(): Pendings {
  const waiting = new Map<string, Waiting>()
  return {
    note(address, count) {
      const key = addressKey(address)
      if (count === 0) waiting.delete(key)
      // Stryker disable next-line UnaryOperator: a time that is far away is due at once as well
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
