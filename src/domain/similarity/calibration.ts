/** One scale of similarity for all models. Clients' thresholds are compared with it, and clients see its values. */
import { LEXICAL_MODEL_NAME } from './models.js'

/** A cosine, and the similarity it maps to. */
export type ScalePoint = readonly [cosine: number, similarity: number]

/**
 * Fitted scales by model. On the scale, an input from 0.5 on is as likely to belong to a matter as not, from 0.7 on it belongs to it, from
 * 0.85 on it says the same again.
 *
 * Knots ascend from (0, 0) to (1, 1), with linear interpolation between them; cosines of 0 and below are unchanged. Vectors of words have
 * small cosines, as two texts on one matter share only a few words. Fitted by `bench/calibration.ts` on half of the development halves of
 * LoCoMo and TIAGE at 384 dimensions. From 0.8 on the scale is the cosine itself, so that merging, repetition and fact comparison are
 * unaffected.
 */
export const FITTED: ReadonlyMap<string, readonly ScalePoint[]> = new Map([
  [
    LEXICAL_MODEL_NAME,
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

/** Maps a cosine, -1..1, to a similarity, -1..1. Continuous and strictly increasing. */
export type SimilarityScale = (cosine: number) => number

/** Scale of a model by its versioned name; the identity for a model that was not fitted. */
export function scaleOf(modelName: string): SimilarityScale {
  const knots = FITTED.get(modelName)
  return knots === undefined ? (cosine) => cosine : (cosine) => interpolate(knots, cosine)
}

function interpolate(knots: readonly ScalePoint[], value: number): number {
  // A loop: a run calls this some hundred times, and a callback per knot would allocate as many objects.
  let at = 0
  while (at < knots.length && value >= (knots[at] as ScalePoint)[0]) at++
  // Up to the first knot and from the last one on, the scale is the identity.
  if (at === 0 || at === knots.length) return value
  const low = knots[at - 1] as ScalePoint
  const high = knots[at] as ScalePoint
  return low[1] + ((value - low[0]) / (high[0] - low[0])) * (high[1] - low[1])
}
