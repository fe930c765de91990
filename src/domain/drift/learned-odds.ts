/** Drift by the vectors of a learned model: how far a message lies from its context, in relation to what is usual in its session. */

/**
 * How far apart a model puts unrelated texts is not known, so an unrelated message is expected at two places: far, in relation to the usual
 * dissimilarity of the session, and near, in units of how that scatters. The position between the usual one (0) and these (1) is a weighted
 * mean, and the threshold lies half way. Log odds run from -2.75 to 2.75 along this way.
 *
 * Chosen with a stand-in (bench:quality, stand-in): with the far place alone hardly any change was reported where all cosines are high, and
 * with the near one alone ordinary turns were, where a model tells topics apart well.
 */
const STEEPNESS = 5.5
const FAR_SHARE = 0.3
/**
 * The far place relative to the usual dissimilarity, but at most orthogonal. Turns that share half of their meaning lie 0.33 from their
 * centroid.
 */
const FAR_RATIO = 3
/** The near place, above the usual dissimilarity: this many standard deviations, and at least so much. */
const NEAR_DEVIATIONS = 3
const NEAR_MIN = 0.06
/** Prior for the deviation in an unknown session, relative to the usual dissimilarity, and the number of turns that it weighs. */
const USUAL_DEVIATION = 1 / 3
const DEVIATION_TURNS = 4
/** Standard deviation of normal numbers relative to their median absolute deviation, which turns on another topic hardly change. */
const DEVIATION_OF_MEDIAN = 1.4826
/**
 * Usual dissimilarity below which turns are all but equal and reveal nothing about the model's distances; unrelated then means orthogonal.
 */
const SCATTER_MIN = 0.005
/** Upper bound on the usual dissimilarity, so that sessions with unrelated turns only still leave some range. */
const USUAL_MAX = 0.8

/** Log odds that a message changes the subject. `values`: dissimilarities of the session's user turns, of which none may be 0. */
export function learnedOdds(dissimilarity: number, values: readonly number[]): number {
  const median = medianOf(values)
  // Shrunk towards 0 when there are few values: one turn on another topic does not make it usual.
  const usual = Math.min(USUAL_MAX, (median * values.length) / (values.length + 1))
  const isEven = median < SCATTER_MIN
  const far = isEven ? 1 : Math.min(1, FAR_RATIO * median)
  const near = isEven ? 1 : Math.min(far, median + Math.max(NEAR_MIN, NEAR_DEVIATIONS * deviationOf(values, median)))
  const placeTo = (end: number): number => (dissimilarity - usual) / (end - usual)
  const way = FAR_SHARE * placeTo(far) + (1 - FAR_SHARE) * placeTo(near)
  return STEEPNESS * (way - 0.5)
}

/** Standard deviation, shrunk towards the usual one when there are few values. */
function deviationOf(values: readonly number[], median: number): number {
  const own = DEVIATION_OF_MEDIAN * medianOf(values.map((value) => Math.abs(value - median)))
  return (own * values.length + USUAL_DEVIATION * median * DEVIATION_TURNS) / (values.length + DEVIATION_TURNS)
}

/** 0 for an empty list. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}
