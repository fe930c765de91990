/** Calls of clients to sessions and their results, recorded by one process with one clock. */

/**
 * `ok`: acknowledged, or read. `refused`: certainly not done. `missing`: the answer says that the session, which was created before, does
 * not exist. `unknown`: no answer, or one that leaves it open; the call may take effect at any time after its invocation, or never.
 */
export type Outcome = 'ok' | 'refused' | 'missing' | 'unknown'

/** Milliseconds of one monotonic clock. A call precedes another one if it ended before the other was invoked. */
export interface Interval {
  readonly invoked: number
  /** When its outcome was known, or it was given up. */
  readonly ended: number
}

/** A call with what it wrote or read. Each token, and each value of a key, is written by one call only. */
export type Call =
  /** Adds memories in this order with nothing in between, or none of them. */
  | { readonly kind: 'append'; readonly tokens: readonly string[] }
  /** Reads all memories, oldest first; null for a text that nobody wrote. */
  | { readonly kind: 'list'; readonly tokens: readonly (string | null)[] }
  | { readonly kind: 'put'; readonly key: string; readonly value: string }
  /** Reads the value of a key; null if there is none. */
  | { readonly kind: 'look'; readonly key: string; readonly value: string | null }

export type Entry = Interval & Call & { readonly session: string; readonly outcome: Outcome }

export type CallOf<Kind extends Call['kind']> = Entry & { readonly kind: Kind }

/** The calls of one kind, in their original order. */
export function callsOf<Kind extends Call['kind']>(entries: readonly Entry[], kind: Kind): CallOf<Kind>[] {
  return entries.filter((entry): entry is CallOf<Kind> => entry.kind === kind)
}

/** The call that was invoked last; undefined if there are none. */
export function latestOf<One extends Entry>(entries: readonly One[]): One | undefined {
  return entries.reduce((latest, entry) => (entry.invoked > (latest?.invoked ?? -Infinity) ? entry : latest), entries[0])
}

/** Whether `first` was over before `second` began. A call without a known outcome is never over. */
export function precedes(first: Entry, second: Entry): boolean {
  return endOf(first) < second.invoked
}

/** Latest time at which the call took effect. */
export function endOf({ outcome, ended }: Entry): number {
  return outcome === 'unknown' ? Infinity : ended
}
