/** What a network is made of, for its steps: the types of its kind. */
import type { NetworkCommand } from '../../src/domain/commands/network-commands.js'
import type { Counters, Logger, Tracer } from '../../src/ports.js'
import type { Work as KindWork } from '../behaviour/kind.js'
import type { Room } from '../weight/room.js'
import type { GatheredPartition, PartitionOptions } from './partition.js'
import type { Poll } from './poll.js'
import type { NetworkState } from './state.js'

export interface ConsensusPoll extends Poll {
  /** Sessions that were trusted, or not, and do not exist any more. */
  readonly goneIds: readonly string[]
}

/** What came of it; null for the commands that ask nobody. */
export type Prepared = {
  readonly poll?: ConsensusPoll
  readonly sessionIds?: readonly string[]
  readonly gathered?: GatheredPartition
} | null

/** What a network asks with, in the course of one command. */
export interface Asking extends PartitionOptions {
  readonly signal: AbortSignal
  readonly room: Room | undefined
}

/** Shared by all networks of a node. */
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
