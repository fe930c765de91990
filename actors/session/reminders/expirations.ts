/** When the live sessions of this node have something to forget, so that a sweep need not wake the others. */
import { type Address, addressKey } from '../../../src/domain/address.js'

export interface Expirations {
  /** Epoch seconds at which the session's first memory expires; null when none does. */
  note(address: Address, expiresNext: number | null): void
  forget(address: Address): void
  /** Sessions with an expired memory at `now`. */
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
    due: (now) => [...expiring.values()].filter(({ at }) => at <= now).map(({ address }) => address)
  }
}
