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
export const VOTER = 'voter'

export interface NetworkState {
  readonly address: Address
  head: NetworkHead
  /** Users that have been active. */
  readonly users: Set<string>
  /** Trust in sessions, 0..1, by id. Sessions with the initial trust are absent. */
  readonly trust: Map<string, number>
  /**
   * When the sessions in `trust` were made, by id: one that is made anew under the same id inherits nothing. In rows of their own, as
   * earlier versions read those of trust. Missing where such a version has counted the vote.
   */
  readonly voters: Map<string, number>
  /** Serialises the commands that ask every session. */
  readonly oneAtATime: OneAtATime
}

/** Creates the state of a network before any switch and any vote. */
export function createState(address: Address): NetworkState {
  const head: NetworkHead = { format: 1, activeUser: DEFAULT_USER, trustedCount: 0 }
  return { address, head, users: new Set([DEFAULT_USER]), trust: new Map(), voters: new Map(), oneAtATime: createOneAtATime() }
}

export function restoreState(address: Address, { head, rows }: StoredRecord): NetworkState {
  const state = createState(address)
  state.head = head as NetworkHead
  for (const { collection, id, body } of rows) {
    if (collection === USER) state.users.add(id)
    if (collection === TRUST) state.trust.set(id, body as number)
    if (collection === VOTER) state.voters.set(id, body as number)
  }
  return state
}

/** A session; `madeAt`: see `SessionTies`. */
export interface Voter {
  readonly sessionId: string
  readonly madeAt?: number | undefined
}

/** Whether the trust under this id would be in another session, which had the id before. */
export function isAnother({ voters }: NetworkState, { sessionId, madeAt }: Voter): boolean {
  const known = voters.get(sessionId)
  return known !== undefined && madeAt !== undefined && known !== madeAt
}

/** Returns the trust in a session, 0..1. */
export function trustIn(state: NetworkState, voter: Voter): number {
  return (isAnother(state, voter) ? undefined : state.trust.get(voter.sessionId)) ?? TRUST_INITIAL
}
