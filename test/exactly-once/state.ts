/**
 * What the model of a request is made of: mechanisms, bounds, and the plain value that stands for everything at one moment. Times are
 * ticks.
 */

/** Each one a mechanism of the service, or an assumption about what is outside of it. */
export interface Switches {
  /** An ask names the incarnation that it is for, and a node that stood still is another one. */
  readonly incarnations: boolean
  /** An ask dies at its deadline. */
  readonly ages: boolean
  /** A writer that finds another one refuses all that waits for it. */
  readonly forgets: boolean
  /** The last requests are noted where they are done. */
  readonly ring: boolean
  /** A retry that the ring may have lost is refused. */
  readonly doubts: boolean
  /** A retry that was run is noted a second time. */
  readonly retries: boolean
  /** A removal leaves the ids. */
  readonly tombstones: boolean
  /** They stay until no copy can arrive any more. */
  readonly lasting: boolean
  /** A retry that finds nothing to do is noted as well. */
  readonly idles: boolean
  /** A retry that is refused is answered as unknown. */
  readonly refusals: boolean
  /** A commit names the epoch that it follows. */
  readonly fencing: boolean
  /** Assumed: the broker gives a message once. */
  readonly givenOnce: boolean
  /** Assumed: clocks differ by the stated bound at most. */
  readonly clocks: boolean
}

export const ALL_ON: Switches = {
  ...{ incarnations: true, ages: true, forgets: true, ring: true, doubts: true },
  ...{ retries: true, tombstones: true, lasting: true, idles: true, refusals: true, fencing: true, givenOnce: true, clocks: true }
}

/** `run` makes the record where there is none; `clear` changes something only where there is something of others. */
export type Kind = 'put' | 'delete' | 'run' | 'clear'

export interface Bounds {
  readonly kind: Kind
  /** Retries of the request by the node that was asked. */
  readonly retriesMax: number
  /** Changes by others, whatever they are. */
  readonly othersMax: number
  readonly ticksMax: number
  /** Pauses, of either node. */
  readonly stopsMax: number
  /** Requests that the log holds. */
  readonly ring: number
}

/** What a removed record leaves, and when it did. */
export interface Tombstone {
  readonly log: Log
  readonly at: number
}

/** A request in the log, with the time by the clock of the node that noted it. */
export interface Note {
  readonly id: number
  readonly at: number
}

export interface Log {
  readonly slots: readonly Note[]
  readonly isFull: boolean
  readonly retried: readonly Note[]
}

export interface StoredState {
  readonly epoch: number
  readonly log: Log
  /** Ids of the others' changes. */
  readonly content: readonly number[]
}

export interface Message {
  readonly attempt: number
  readonly incarnation: number
  readonly sentAt: number
}

export interface OwnerNode {
  readonly incarnation: number
  readonly stoppedAt: number | null
  readonly memory: StoredState | null
  /** Sent, and not read yet: on the line or in the socket. */
  readonly arriving: readonly Message[]
  /** Read, and waiting for the record. */
  readonly waiting: readonly Message[]
}

export interface State {
  readonly now: number
  /** Ticks by which the second node's clock is ahead. */
  readonly skew: number
  readonly record: StoredState | null
  readonly tombstone: Tombstone | null
  readonly epoch: number
  readonly nodes: readonly [OwnerNode, OwnerNode]
  readonly attempts: number
  readonly isDoubled: boolean
  readonly stops: number
  readonly others: number
  /** Of the others' changes, what was acknowledged and not removed since. */
  readonly acknowledged: readonly number[]
  /** How often the request was done. */
  readonly effects: number
  /** What the client was told, if it can rely on it: that it was not done, or that it was. */
  readonly told: 'no' | 'done' | null
  readonly violation: string | null
}

export interface Step {
  readonly label: string
  readonly next: State
}
