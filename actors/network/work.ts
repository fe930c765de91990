/** Types of the network kind. */
import type { NetworkCommand } from '../../src/domain/commands/network-commands.js'
import type { Counters, Logger, Tracer } from '../../src/ports.js'
import type { Work as KindWork } from '../behaviour/kind.js'
import type { Room } from '../weight/room.js'
import type { GatheredPartition, PartitionOptions } from './partition.js'
import type { Poll } from './poll.js'
import type { NetworkState } from './state.js'

interface ConsensusPoll extends Poll {
  /** Sessions with a trust entry that no longer exist. */
  readonly goneIds: readonly string[]
}

/** Result of a preparation; null for commands that ask nobody. */
export type Prepared = {
  readonly poll?: ConsensusPoll
  readonly sessionIds?: readonly string[]
  readonly gathered?: GatheredPartition
  /** Whether the partition of an erased user exists, may go, and has no session. */
  readonly isEmptied?: boolean
} | null

/** Context in which a network asks others while it prepares one command. */
interface Asking extends PartitionOptions {
  readonly signal: AbortSignal
  readonly room: Room | undefined
}

/** Services shared by all networks of a node. */
export interface NetworkServices extends PartitionOptions {
  readonly tracer: Tracer
  readonly counters: Counters
  readonly logger: Logger
}

export interface NetworkKind {
  readonly state: NetworkState
  readonly command: NetworkCommand
  readonly prepared: Prepared
  readonly services: NetworkServices
  readonly asking: Asking
}

export type Work = KindWork<NetworkKind>
