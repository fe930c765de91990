/** A sample of many, and how far what it says may be from the whole. */
import { createHash } from 'node:crypto'

/** Standard deviations on each side of 95 of 100. */
const Z = 1.96

/**
 * The `count` of `items` whose digest under `seed` is least: the same ones as long as their names stay, wherever others come and go.
 * They keep their order.
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

/** Share of `hits` among `all` (more than none), from 0 to 1, between whose ends the whole lies 95 times of 100: Wilson's interval. */
export function wilson(hits: number, all: number): { readonly low: number; readonly high: number } {
  const share = hits / all
  const spread = Z * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2))
  const scale = 1 + Z ** 2 / all
  const middle = share + Z ** 2 / (2 * all)
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}
