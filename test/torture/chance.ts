/** Reproducible random numbers: the same seed gives the same numbers. */

export interface Chance {
  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number
  /** True with probability 1/`n`. */
  oneIn(n: number): boolean
  /** A random element; undefined if the list is empty. */
  pick<Item>(list: readonly Item[]): Item | undefined
}

/** Method: mulberry32, a 32-bit generator by Tommy Ettinger; good enough for a test's choices. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    integer,
    oneIn: (n) => integer(1, n) === 1,
    pick: (list) => list[integer(0, list.length - 1)]
  }
}
