/** One scale for similarities, whichever model made the vectors: what a client's thresholds are compared with, and what it is shown. */

/** A cosine and the similarity that it stands for. */
export type Knot = readonly [cosine: number, similarity: number]

/**
 * What the scale means: from 0.5 an input is as likely to belong to a matter as not, from 0.7 it belongs to it, from 0.85 it says the
 * same again.
 *
 * Of each model that was fitted, ascending from (0, 0) to (1, 1); between two knots the map is a straight line, and what is not above 0
 * stays as it is. Words make small cosines: two texts on one matter share a few of them. Fitted by `bench/calibration.ts` on half of
 * the development halves of LoCoMo and TIAGE at 384 dimensions. From 0.8 on it is the cosine: what is merged, repeated or compared
 * by its facts is what was before.
 */
export const FITTED: ReadonlyMap<string, readonly Knot[]> = new Map([
  [
    'lexical-hash-v1',
    [
      [0, 0],
      [0.17, 0.5],
      [0.23, 0.7],
      [0.8, 0.8],
      [0.85, 0.85],
      [1, 1]
    ]
  ]
])

/** From a cosine, -1..1, to a similarity, -1..1. Continuous, and greater for a greater cosine. */
export type SimilarityScale = (cosine: number) => number

/** The scale of a model by its versioned name: the identity for one that was not fitted. */
export function scaleOf(modelName: string): SimilarityScale {
  const knots = FITTED.get(modelName)
  return knots === undefined ? (cosine) => cosine : (cosine) => along(knots, cosine)
}

/** The cosine that a similarity stands for: the inverse of `scaleOf`. */
export function cosineAt(modelName: string, similarity: number): number {
  const knots = FITTED.get(modelName)
  return knots === undefined
    ? similarity
    : along(
        knots.map(([cosine, shown]) => [shown, cosine]),
        similarity
      )
}

function along(knots: readonly Knot[], value: number): number {
  // A loop: a run asks some hundred times, and a function that is called for each knot leaves as many objects behind.
  let at = 0
  while (at < knots.length && value >= (knots[at] as Knot)[0]) at++
  // Not above the first knot, or from the last one on.
  if (at === 0 || at === knots.length) return value
  const low = knots[at - 1] as Knot
  const high = knots[at] as Knot
  return low[1] + ((value - low[0]) / (high[0] - low[0])) * (high[1] - low[1])
}
