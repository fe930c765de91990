/** What a subject's network can be asked: its user partitions, consensus and trust. */
import type { Weight } from '../weight.js'

export interface SwitchUser {
  readonly type: 'network.switch'
  readonly userId: string
}
export interface ReadActiveUser {
  readonly type: 'network.active'
}
export interface SerializeUser {
  readonly type: 'network.serialize'
  readonly userId: string
}
export interface ProposeConsensus {
  readonly type: 'network.consensus'
  readonly proposerSessionId: string
  readonly targetEmbedding: readonly number[]
}
export interface ReadTrust {
  readonly type: 'network.trust'
}
/** A session of the subject is gone: so is its trust. */
export interface DropSession {
  readonly type: 'network.dropSession'
  readonly sessionId: string
}

export type NetworkCommand = SwitchUser | ReadActiveUser | SerializeUser | ProposeConsensus | ReadTrust | DropSession

export interface ConsensusVote {
  readonly sessionId: string
  /** Cosine of its state to the proposal, -1..1. */
  readonly similarity: number
  /** Its trust before the vote, 0..1. */
  readonly weight: number
}

/** A list rather than an object by ids: some ids mean something else as names of an object, and a long one takes milliseconds to make. */
export interface TrustScore {
  readonly sessionId: string
  /** 0..1 */
  readonly trust: number
}

/** The partition that is active before any switch. */
export const DEFAULT_USER = 'default'

export interface NetworkReplies {
  'network.switch': { readonly activeUser: string; readonly previousUser: string }
  'network.active': { readonly activeUser: string }
  /** The partition as one value, opaque here: the caller turns it into JSON piece by piece. It takes `weight` in memory meanwhile. */
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
