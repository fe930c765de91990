/** What the greatest of many numbers have at least, without their sorting. */

/** Parts into which a range of numbers is divided at a time. */
const BUCKETS = 512

type Numbers = Float32Array | Float64Array

/** Lanes for each value that is to reach the floor: of values that come as they like, one in 32 shares its lane with another of them. */
const LANES_A_VALUE = 16

/** Room to count in, all zeros between two calls. */
const counted = new Int32Array(BUCKETS)

/** Divisions of a range: numbers may be chosen so that all but one of them lie in one bucket of each. */
const DIVISIONS_MAX = 4

/**
 * A number that at least `limit` of the first `count` values reach, and few more: up to an eighth more, unless many lie very near to each
 * other. -Infinity where there are fewer than `limit`. Two passes over the values as a rule, by a histogram and without a branch that
 * hangs on them: a heap of the greatest is several times as slow.
 */
export function floorOf(values: Numbers, count: number, limit: number): number {
  if (count < limit || limit < 1) return -Infinity
  const lanes = LANES_A_VALUE * limit
  return count < 2 * lanes ? floorOfAll(values, count, limit) : floorOfAll(greatestOf(values, count, lanes), lanes, limit)
}

/**
 * The greatest value of each lane: so many values, one after the other, are in as many lanes, and so on. What is great lies in few lanes
 * together with what is as great, also where neighbours are alike.
 */
function greatestOf(values: Numbers, count: number, lanes: number): Float64Array {
  const greatest = new Float64Array(values.subarray(0, lanes))
  for (let from = lanes; from < count; from += lanes) {
    const end = Math.min(lanes, count - from)
    for (let lane = 0; lane < end; lane++) {
      const value = values[from + lane] as number
      if (value > (greatest[lane] as number)) greatest[lane] = value
    }
  }
  return greatest
}

function floorOfAll(values: Numbers, count: number, limit: number): number {
  let low = values[0] as number
  let high = low
  for (let at = 1; at < count; at++) {
    const value = values[at] as number
    if (value < low) low = value
    if (value > high) high = value
  }
  const spare = limit >> 3
  for (let division = 0; division < DIVISIONS_MAX && low < high; division++) {
    const scale = (BUCKETS - 1) / (high - low)
    if (scale === Infinity) break
    let reached = 0
    for (let at = 0; at < count; at++) {
      const value = values[at] as number
      const bucket = ((value - low) * scale) | 0
      if (value > high) reached++
      else if (value >= low) counted[bucket] = (counted[bucket] as number) + 1
    }
    let bucket = BUCKETS
    while (reached < limit) reached += counted[--bucket] as number
    counted.fill(0)
    // A little wider than the bucket, as quotients are rounded.
    const from = low + (bucket - ROUNDING) / scale
    const to = low + (bucket + 1 + ROUNDING) / scale
    if (reached - limit <= spare) return Math.max(low, from)
    if (bucket > 0) low = from
    high = Math.min(high, to)
  }
  return low
}

/** Of a bucket's width. */
const ROUNDING = 1e-6
