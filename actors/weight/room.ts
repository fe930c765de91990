/** The memory that one command may take, for its work and for what it leaves in its actor's record. */
import type { Weight } from '../../src/domain/weight.js'

/** What a command adds to its actor's record at most. */
export interface Growth extends Weight {
  /**
   * True: another actor tells it, and tells it again only when the node had no memory for it. What records keep of this is bounded by its
   * number, so a record that is full takes it in all the same.
   */
  readonly isTold?: true
}

export interface Room {
  /** Holds memory until the command is answered. Throws `memory_exhausted` when the node has none left. */
  hold(weight: Weight): void
  /** Whether the record may grow by so much. Nothing is kept for it. */
  fits(growth: Weight): boolean
  /** Keeps room for so much until the command's step has run, if there is some now. */
  take(growth: Weight): boolean
  /** Throws `record_full` when the record would pass its own budget, `memory_exhausted` when the node would pass its. */
  admit(growth: Growth): void
  /** As `admit`; before the node refuses, idle actors make way. What was found is kept until the command's step has run. */
  makeWay(growth: Growth): Promise<void>
  /** What the rows of one collection weigh. */
  of(collection: string): Weight
  /** What the head and all rows weigh: what goes when they are replaced by others. */
  readonly replaced: Weight
}

/** A command's share of the node's memory while it is under way. */
export interface Hold {
  /** Throws `memory_exhausted`. */
  take(weight: Weight): void
  /** Gives all of it back. It may take again. */
  free(): void
  /** The same for good: what is taken afterwards counts nothing. */
  close(): void
}
