/**
 * Types of the model of a request: its mechanisms, its bounds, and the plain value that represents everything at one moment. Times are
 * ticks.
 */

/** Mechanisms of the service, and assumptions about its environment, each of which can be switched off. */
export interface Switches {
  /** An ask names the incarnation that it is for, and a node that stood still becomes another one. */
  readonly incarnations: boolean
  /** An ask expires at its deadline. */
  readonly ages: boolean
  /** A writer that is fenced refuses everything that waits for it. */
  readonly forgets: boolean
  /** The idempotency log records the last requests, in the commit that does them. */
  readonly ring: boolean
  /** A retry is refused if the log may have dropped its request. */
  readonly doubts: boolean
  /** A retry that was run is also recorded in a second list, `retried`. */
  readonly retries: boolean
  /** A removal leaves a tombstone with the log. */
  readonly tombstones: boolean
  /** Tombstones stay until no copy can arrive any more. */
  readonly lasting: boolean
  /** A retry that finds nothing to do is recorded as well. */
  readonly idles: boolean
  /** A refused retry is answered as unknown, not as a definite no. */
  readonly refusals: boolean
  /** A commit names the epoch that it follows, and is refused once another one has begun. */
  readonly fencing: boolean
  /** Assumed: the broker delivers a message at most once. */
  readonly givenOnce: boolean
  /** Assumed: clocks differ by at most the stated bound. */
  readonly clocks: boolean
}

export const ALL_ON: Switches = {
  ...{ incarnations: true, ages: true, forgets: true, ring: true, doubts: true },
  ...{ retries: true, tombstones: true, lasting: true, idles: true, refusals: true, fencing: true, givenOnce: true, clocks: true }
}

/** Kinds of requests. `run` creates a missing record; `clear` changes something only if the record has changes by others. */
export type Kind = 'put' | 'delete' | 'run' | 'clear'

export interface Bounds {
  readonly kind: Kind
  /** Most retries of the request by the node that was asked. */
  readonly retriesMax: number
  /** Most changes by other clients. */
  readonly othersMax: number
  readonly ticksMax: number
  /** Most pauses, of both nodes together. */
  readonly stopsMax: number
  /** Most requests that the log holds. */
  readonly ring: number
}

/** What a removed record leaves, with the time of the removal. */
export interface Tombstone {
  readonly log: Log
  readonly at: number
}

/** A request in the log, with the time by the clock of the node that recorded it. */
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
  /** Ids of changes by other clients. */
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
  /** Sent but not read yet: on the line or in the socket. */
  readonly arriving: readonly Message[]
  /** Read and waiting for the record. */
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
  /** Ids of changes by other clients that were acknowledged and not removed since. */
  readonly acknowledged: readonly number[]
  /** How many times the request was done. */
  readonly effects: number
  /** Definite answer that reached the client, that it was not done or that it was; null if there was none. */
  readonly told: 'no' | 'done' | null
  readonly violation: string | null
}

export interface Step {
  readonly label: string
  readonly next: State
}
