/** Fits the weights of drift's signs by logistic regression, with equal weight for each genre. */
import { DRIFT_THRESHOLD, type DriftSigns } from '../../../src/domain/drift/drift.js'
import { calibrated, chanceOf } from '../../../src/domain/drift/score-calibration.js'
import { type Judged, meanOf } from '../statistics.js'
import type { MeasuredTurn } from './rulers.js'

/** Weights of bias, novelty, fields, opening, answering and announcing, in this order. */
export type Weights = readonly number[]

const ITERATIONS = 30
/** Nominal number of turns per genre, so that the penalty on the weights is independent of a genre's size. */
const GENRE_TURNS = 1_000

export function fitted(genres: readonly (readonly MeasuredTurn[])[]): Weights {
  const items = genres.flatMap((turns) => turns.map((turn) => ({ ...turn, row: rowOf(turn.signs), weight: GENRE_TURNS / turns.length })))
  let weights: Weights = rowOf({ novelty: 0, fields: 0, opening: 0, answering: 0, announcing: 0 }).map(() => 0)
  for (let i = 0; i < ITERATIONS; i++) {
    const gradient = weights.map((weight, j) => (j === 0 ? 0 : weight))
    const hessian = weights.map((_, j) => weights.map((_, k): number => (j === k && j > 0 ? 1 : 0)))
    for (const { row, isTrue, weight } of items) {
      const chance = chanceOf(product(weights, row))
      row.forEach((x, j) => {
        gradient[j] = (gradient[j] ?? 0) + weight * (chance - (isTrue ? 1 : 0)) * x
        const line = hessian[j] ?? []
        row.forEach((z, k) => (line[k] = (line[k] ?? 0) + weight * chance * (1 - chance) * x * z))
      })
    }
    const step = solved(hessian, gradient)
    weights = weights.map((weight, j) => weight - (step[j] ?? 0))
  }
  return weights
}

/** Predicted and actual changes among the turns above the threshold. */
export interface Promised {
  readonly turns: number
  /** Fraction of these turns that are changes, 0..1. */
  readonly changes: number
  /** Mean score. */
  readonly score: number
}

/** Evaluates the reported turns, optionally with another calibration gap than the shipped one, or none. */
export function promised(turns: readonly Judged[], gap?: number): Promised {
  const reported = reportedOf(turns)
  return {
    turns: reported.length,
    changes: meanOf(reported.map(({ isTrue }) => Number(isTrue))),
    score: meanOf(reported.map(({ odds }) => chanceOf(calibrated(odds, gap))))
  }
}

/** The calibration gap that maximises the likelihood of reported turns, with equal weight for each genre. */
export function fittedGap(genres: readonly (readonly Judged[])[]): number {
  const loss = (gap: number): number =>
    meanOf(
      genres.map((turns) =>
        meanOf(
          reportedOf(turns).map(({ isTrue, odds }) => {
            const chance = chanceOf(calibrated(odds, gap))
            return -Math.log(isTrue ? chance : 1 - chance)
          })
        )
      )
    )
  return GAPS.reduce((best, gap) => (loss(gap) < loss(best) ? gap : best))
}

const GAPS = Array.from({ length: 31 }, (_, step) => step / 20)

/** Reported turns, with their odds before calibration. */
function reportedOf(turns: readonly Judged[]): (Judged & { readonly odds: number })[] {
  return turns.filter(({ score }) => score >= DRIFT_THRESHOLD).map((turn) => ({ ...turn, odds: oddsOf(turn.score) }))
}

const HALVINGS = 50
const ODDS_MAX = 40

/** The odds whose calibration gives this score. */
function oddsOf(score: number): number {
  let [low, high] = [-ODDS_MAX, ODDS_MAX]
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (chanceOf(calibrated(middle)) < score) low = middle
    else high = middle
  }
  return high
}

/** Scores the turns with the given weights. */
export function judgedBy(weights: Weights, turns: readonly MeasuredTurn[]): Judged[] {
  return turns.map(({ isTrue, signs }) => ({ isTrue, score: product(weights, rowOf(signs)) }))
}

/** Bounds of the reliability diagram, finer above the threshold. */
const BANDS = [0, 0.15, 0.3, 0.5, 0.55, 0.7]
export const BAND_NAMES = BANDS.map((from) => `from ${from}`)

/** Reliability diagram: the share of changes among the turns of each band of scores. */
export function reliability(items: readonly Judged[]): string[] {
  return BANDS.map((from, at) => {
    const inside = items.filter(({ score }) => score >= from && score < (BANDS[at + 1] ?? Infinity))
    const changes = meanOf(inside.map(({ isTrue }) => (isTrue ? 1 : 0)))
    return inside.length === 0 ? '' : `${changes.toFixed(2)} of ${inside.length}`
  })
}

function rowOf({ novelty, fields, opening, answering, announcing }: DriftSigns): number[] {
  return [1, novelty, fields, opening, answering, announcing]
}

function product(weights: Weights, row: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * (row[i] ?? 0), 0)
}

/** Solves by Gaussian elimination; the matrix is small and positive definite. */
function solved(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, vector[i] ?? 0])
  rows.forEach((pivot, i) => {
    rows.forEach((row, j) => {
      if (j === i) return
      const factor = (row[i] ?? 0) / (pivot[i] ?? 1)
      for (let k = i; k < row.length; k++) row[k] = (row[k] ?? 0) - factor * (pivot[k] ?? 0)
    })
  })
  return rows.map((row, i) => (row.at(-1) ?? 0) / (row[i] ?? 1))
}
