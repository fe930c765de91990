/** Memory that one command may take: for its work, and for what it adds to its actor's record. */
import type { Weight } from '../../src/domain/fairness/weight.js'

/** Upper bound on what a command adds to its actor's record. */
export interface Growth extends Weight {
  /**
   * True: a full record takes it in all the same. For commands between actors: they are retried when the node has no memory for them, but
   * not when the record is full, and their entries are bounded by number.
   */
  readonly bypassesRecordLimit?: true
}

export interface Room {
  /** Holds memory until the command is answered. Throws `memory_exhausted` when the node has none left, `limit_reached` if it never has. */
  hold(weight: Weight): void
  /** Whether the record may grow by `growth`. Reserves nothing. */
  fits(growth: Weight): boolean
  /** Reserves `growth` until the command's step has run, if there is room now. Returns whether there was. */
  take(growth: Weight): boolean
  /**
   * Throws `record_full` when the record would exceed its own budget, or all that the node has for one, and `memory_exhausted` when the
   * node would exceed its budget.
   */
  admit(growth: Growth): void
  /** Reserves `growth` until the command's step has run, evicting idle actors before the node refuses. Throws as `admit` does. */
  reserve(growth: Growth): Promise<void>
  /** Weight of the rows of one collection. */
  of(collection: string): Weight
  /** Weight of the head and all rows: freed when other content replaces them. */
  readonly replaced: Weight
}

/** Memory that work under way holds, counted against the node's allowance for work. */
export interface Hold {
  /** Throws `memory_exhausted`, and `limit_reached` for what never fits. */
  take(weight: Weight): void
  /** Releases everything that was taken. The hold can be used again. */
  free(): void
  /** Releases everything for good: later calls of `take` count nothing. */
  close(): void
}
