/** Violations of a history. */

/**
 * `lost`: acknowledged or seen, but missing at the end. `doubled`: present more than once. `stale`: a read without something that was
 * acknowledged or seen before its invocation. `reordered`: against the order of calls that did not overlap. `torn`: a call that happened in
 * part. `foreign`: never written, refused, or read before it was written.
 */
export type ViolationSort = 'lost' | 'doubled' | 'stale' | 'reordered' | 'torn' | 'foreign'

export interface Violation {
  readonly sort: ViolationSort
  readonly session: string
  readonly detail: string
}

/** Number of violations of each sort. */
export function countViolations(violations: readonly Violation[]): Record<ViolationSort, number> {
  const counts = { lost: 0, doubled: 0, stale: 0, reordered: 0, torn: 0, foreign: 0 }
  for (const { sort } of violations) counts[sort] += 1
  return counts
}
