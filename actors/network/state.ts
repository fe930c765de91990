/** State of one subject's network, in memory and as stored. */
import type { Address } from '../../src/domain/address.js'
import { DEFAULT_USER } from '../../src/domain/commands/network-commands.js'
import { TRUST_INITIAL } from '../../src/domain/coordination/consensus.js'
import type { NetworkHead } from '../../src/domain/network-head.js'
import type { StoredRecord } from '../../src/ports.js'
import { createOneAtATime, type OneAtATime } from '../asking/one-at-a-time.js'

/** Names of the row collections of a network record. */
export const USER = 'user'
export const TRUST = 'trust'

export interface NetworkState {
  readonly address: Address
  head: NetworkHead
  /** Users that have been active. */
  readonly users: Set<string>
  /** Trust in sessions, 0..1, by id. Sessions with the initial trust are absent. */
  readonly trust: Map<string, number>
  /** Serialises the commands that ask every session. */
  readonly oneAtATime: OneAtATime
}

/** Creates the state of a network before any switch and any vote. */
export function createState(address: Address): NetworkState {
  const head: NetworkHead = { format: 1, activeUser: DEFAULT_USER, trustedCount: 0 }
  return { address, head, users: new Set([DEFAULT_USER]), trust: new Map(), oneAtATime: createOneAtATime() }
}

export function restoreState(address: Address, { head, rows }: StoredRecord): NetworkState {
  const state = createState(address)
  state.head = head as NetworkHead
  for (const { collection, id, body } of rows) {
    if (collection === USER) state.users.add(id)
    if (collection === TRUST) state.trust.set(id, body as number)
  }
  return state
}

/** Returns the trust in a session, 0..1. */
export function trustIn({ trust }: NetworkState, sessionId: string): number {
  return trust.get(sessionId) ?? TRUST_INITIAL
}
