/** Lower bound on the greatest of many numbers, without sorting them. */

/** Buckets of the histogram. */
const BUCKETS = 512

type Numbers = Float32Array | Float64Array

/** Lanes per wanted value: in random order, one in 32 values shares its lane with another one. */
export const LANES_A_VALUE = 16

/** Blocks per wanted value from which their greatest values give the floor: few of the best then share a block. */
export const BLOCKS_A_VALUE = 4

/** Scratch histogram; all zeros between calls. */
const counted = new Int32Array(BUCKETS)

/** Most refinements: values can be chosen so that each time all but one of them lie in one bucket. */
const DIVISIONS_MAX = 4

/**
 * A number that at least `limit` of the first `count` values reach, and few more: up to an eighth more, unless many values lie very close
 * together. -Infinity if there are fewer than `limit` values. Usually two passes over the values, with a histogram and without a branch
 * that depends on them; a heap of the greatest values is several times as slow.
 */
export function floorOf(values: Numbers, count: number, limit: number): number {
  if (count < limit || limit < 1) return -Infinity
  const lanes = LANES_A_VALUE * limit
  return count < 2 * lanes ? floorOfAll(values, count, limit) : floorOfAll(greatestOf(values, count, lanes), lanes, limit)
}

/**
 * Greatest value of each lane. Consecutive values go to different lanes, round robin, so that even where neighbours are alike, few great
 * values share a lane.
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
    // Slightly wider than the bucket, because quotients are rounded.
    const from = low + (bucket - ROUNDING) / scale
    const to = low + (bucket + 1 + ROUNDING) / scale
    if (reached - limit <= spare) return Math.max(low, from)
    if (bucket > 0) low = from
    high = Math.min(high, to)
  }
  return low
}

/** Relative to the width of a bucket. */
const ROUNDING = 1e-6
