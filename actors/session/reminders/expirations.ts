/** Earliest expirations of this node's live sessions, so that the clock reminds only sessions with something expired. */
import { type Address, addressKey } from '../../../src/domain/address.js'
import type { SweepSession } from '../../../src/domain/commands/control-commands.js'

export interface Expirations {
  /** Sets the epoch seconds of the session's earliest expiration; null if no memory expires. */
  note(address: Address, expiresNext: number | null): void
  forget(address: Address): void
  /**
   * The command that removes the expired memories of the session with this address key; null if it has none at `now`. An expired memory is
   * neither found nor counted among the words, and no kept answer shows it.
   */
  overdue(key: string, now: number): SweepSession | null
  /** Returns the sessions with an expired memory at `now`. */
  due(now: number): Address[]
}

export function createExpirations(): Expirations {
  const expiring = new Map<string, { readonly address: Address; readonly at: number }>()
  return {
    note(address, expiresNext) {
      if (expiresNext === null) expiring.delete(addressKey(address))
      else expiring.set(addressKey(address), { address, at: expiresNext })
    },
    forget: (address) => expiring.delete(addressKey(address)),
    overdue: (key, now) => ((expiring.get(key)?.at ?? Infinity) <= now ? { type: 'session.sweep' } : null),
    due: (now) => [...expiring.values()].filter(({ at }) => at <= now).map(({ address }) => address)
  }
}
