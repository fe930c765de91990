/** Weights of the drift's signs by logistic regression, each genre counting the same. */
import type { DriftSigns } from '../../../src/domain/drift/drift.js'
import { type Judged, meanOf } from '../statistics.js'
import type { MeasuredTurn } from './rulers.js'

/** Of the bias, the novelty, the level, the opening and the answering. */
export type Weights = readonly number[]

const ITERATIONS = 30
/** Turns that a genre counts as: the penalty of one on the weights then means the same whatever its size. */
const GENRE_TURNS = 1_000

export function fitted(genres: readonly (readonly MeasuredTurn[])[]): Weights {
  const items = genres.flatMap((turns) => turns.map((turn) => ({ ...turn, row: rowOf(turn.signs), weight: GENRE_TURNS / turns.length })))
  let weights: Weights = rowOf({ novelty: 0, level: 0, opening: 0, answering: 0 }).map(() => 0)
  for (let i = 0; i < ITERATIONS; i++) {
    const gradient = weights.map((weight, j) => (j === 0 ? 0 : weight))
    const hessian = weights.map((_, j) => weights.map((_, k): number => (j === k && j > 0 ? 1 : 0)))
    for (const { row, isTrue, weight } of items) {
      const chance = 1 / (1 + Math.exp(-product(weights, row)))
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

/** The turns with the odds that the weights give them. */
export function judgedBy(weights: Weights, turns: readonly MeasuredTurn[]): Judged[] {
  return turns.map(({ isTrue, signs }) => ({ isTrue, score: product(weights, rowOf(signs)) }))
}

export interface Bin {
  /** Scores from here on, to the next bin. */
  readonly from: number
  readonly turns: number
  /** 0..1: of them that are changes. */
  readonly changes: number
}

/** A reliability diagram: of the turns of each band of scores, how many are changes. */
export function reliability(items: readonly Judged[], bins = 5): Bin[] {
  return Array.from({ length: bins }, (_, at) => {
    const inside = items.filter(({ score }) => Math.min(bins - 1, Math.floor(score * bins)) === at)
    return { from: at / bins, turns: inside.length, changes: meanOf(inside.map(({ isTrue }) => (isTrue ? 1 : 0))) }
  })
}

function rowOf({ novelty, level, opening, answering }: DriftSigns): number[] {
  return [1, novelty, level, opening, answering]
}

function product(weights: Weights, row: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * (row[i] ?? 0), 0)
}

/** Gaussian elimination; the matrix is small and positive definite. */
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
