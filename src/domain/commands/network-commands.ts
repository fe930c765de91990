/** Commands to a subject's network: user partitions, consensus and trust. */
import type { Weight } from '../fairness/weight.js'
import type { EraseUser } from './erasure.js'

export interface SwitchUser {
  readonly type: 'network.switch'
  readonly userId: string
}
interface ReadActiveUser {
  readonly type: 'network.active'
}
interface SerializeUser {
  readonly type: 'network.serialize'
  readonly userId: string
}
export interface ProposeConsensus {
  readonly type: 'network.consensus'
  readonly proposerSessionId: string
  readonly targetEmbedding: readonly number[]
}
interface ReadTrust {
  readonly type: 'network.trust'
}
/** A session of the subject is gone; drops its trust. */
export interface DropSession {
  readonly type: 'network.dropSession'
  readonly sessionId: string
}

export type NetworkCommand = SwitchUser | ReadActiveUser | SerializeUser | ProposeConsensus | ReadTrust | DropSession | EraseUser

interface ConsensusVote {
  readonly sessionId: string
  /** Cosine of its state to the proposal, -1..1. */
  readonly similarity: number
  /** Its trust before the vote, 0..1. */
  readonly weight: number
}

/**
 * A list rather than an object keyed by id: some ids have a special meaning as property names, and a large object takes milliseconds to
 * build.
 */
export interface TrustScore {
  readonly sessionId: string
  /** 0..1 */
  readonly trust: number
}

/** Active partition before any switch. */
export const DEFAULT_USER = 'default'

export interface NetworkReplies {
  'network.switch': { readonly activeUser: string; readonly previousUser: string }
  'network.active': { readonly activeUser: string }
  /** The partition as one opaque value; the caller serialises it to JSON piece by piece. Meanwhile it takes `weight` in memory. */
  'network.serialize': { readonly partition: object; readonly weight: Weight }
  'network.consensus': {
    readonly accepted: boolean
    /** 0..1 */
    readonly approval: number
    readonly votes: readonly ConsensusVote[]
    readonly trustScores: readonly TrustScore[]
  }
  'network.trust': { readonly trustScores: readonly TrustScore[] }
  'network.dropSession': { readonly dropped: boolean }
}
