/** Groups token sequences into batches with little padding. */

/**
 * Padded tokens in one run of the encoder. Bounds its memory: the attention weights of a layer with 12 heads take 100 MB for 8 sequences of
 * 512 tokens (12 × 8 × 512² × 4 bytes).
 */
const RUN_TOKENS_MAX = 4_096

/** A sequence may be at most this many times as long as the shortest of its group, plus a few tokens. */
const PADDING_RATIO_MAX = 1.5
const PADDING_TOKENS_FREE = 8

/**
 * Groups the indices of `lengths` (tokens, at least 1 each) into batches, each index once. Sequences of similar length share a group.
 * Unless it holds a single sequence, a group's longest times its size stays within the limit.
 */
export function groupByLength(lengths: readonly number[]): number[][] {
  const ascending = lengths.map((_, index) => index).sort((a, b) => (lengths[a] as number) - (lengths[b] as number) || a - b)
  const groups: number[][] = []
  let group: number[] = []
  let shortest = 0
  for (const index of ascending) {
    const length = lengths[index] as number
    const isFull = (group.length + 1) * length > RUN_TOKENS_MAX
    if (group.length > 0 && (isFull || length > shortest * PADDING_RATIO_MAX + PADDING_TOKENS_FREE)) {
      groups.push(group)
      group = []
    }
    if (group.length === 0) shortest = length
    group.push(index)
  }
  if (group.length > 0) groups.push(group)
  return groups
}
