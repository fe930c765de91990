/** What is wrong with a history. */

/**
 * `lost`: acknowledged or seen, and not there at the end. `doubled`: there more than once. `stale`: a read without what was
 * acknowledged or seen before it was invoked. `reordered`: not in the order of calls that followed each other. `torn`: a call that
 * happened in part. `foreign`: nobody's, refused, or read before it was asked for.
 */
export type ViolationSort = 'lost' | 'doubled' | 'stale' | 'reordered' | 'torn' | 'foreign'

export interface Violation {
  readonly sort: ViolationSort
  readonly session: string
  readonly detail: string
}

/** How often each sort was found. */
export function countViolations(violations: readonly Violation[]): Record<ViolationSort, number> {
  const counts = { lost: 0, doubled: 0, stale: 0, reordered: 0, torn: 0, foreign: 0 }
  for (const { sort } of violations) counts[sort] += 1
  return counts
}
