/** Random samples, and the confidence interval of a share found in one. */
import { createHash } from 'node:crypto'

/** Standard deviations on each side that cover 95 %. */
const Z = 1.96

/**
 * The `count` items with the least digests under `seed`, in their original order. Stable: where others come and go, most of the same items
 * are chosen as long as their names stay.
 */
export function sampleOf<T>(items: readonly T[], { count, seed, nameOf }: SampleOptions<T>): T[] {
  const digestOf = (item: T) =>
    createHash('sha256')
      .update(`${seed}\0${nameOf(item)}`)
      .digest('hex')
  const least = items
    .map((item, index) => ({ item, index, digest: digestOf(item) }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .slice(0, count)
  return least.sort((a, b) => a.index - b.index).map(({ item }) => item)
}

export interface SampleOptions<T> {
  readonly count: number
  readonly seed: string
  nameOf(item: T): string
}

/** Wilson's 95 % confidence interval, within 0..1, of the share of `hits` among `all`, which is above 0. */
export function wilson(hits: number, all: number): { readonly low: number; readonly high: number } {
  const share = hits / all
  const spread = Z * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2))
  const scale = 1 + Z ** 2 / all
  const middle = share + Z ** 2 / (2 * all)
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}
