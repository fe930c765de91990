/** Types of the network kind. */
import type { NetworkCommand } from '../../src/domain/commands/network-commands.js'
import type { ActorStorage, Logger } from '../../src/ports.js'
import type { KindServices, Work as KindWork } from '../coordination/kind.js'
import type { LiveSessions } from '../subject/live-sessions.js'
import type { GatheredPartition } from './partition.js'
import type { Poll } from './poll.js'
import type { NetworkState } from './state.js'

export interface Electorate extends Pick<Poll, 'sessionIds'> {
  /** Ids under which there is trust in a session that is gone. */
  readonly goneIds: readonly string[]
}

export type ConsensusPoll = Poll & Electorate

interface Prepared {
  readonly 'network.consensus': ConsensusPoll
  readonly 'network.trust': Electorate
  readonly 'network.serialize': GatheredPartition
  /** Whether the partition of an erased user exists, may go, and has no session. */
  readonly 'user.erase': boolean
}

export interface NetworkServices extends KindServices {
  readonly logger: Logger
  readonly storage: Pick<ActorStorage, 'list' | 'heads' | 'isDurable'>
  readonly sessions: Pick<LiveSessions, 'activeIds' | 'passivate'>
}

export interface NetworkKind {
  readonly state: NetworkState
  readonly command: NetworkCommand
  readonly prepared: Prepared
  readonly services: NetworkServices
}

export type Work = KindWork<NetworkKind>
