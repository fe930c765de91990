/**
 * How well drift finds topic shifts in dialogues between people (TIAGE, Xie et al., EMNLP Findings 2021).
 * Prints AUROC and F1 of the score as shipped, causal and at its own threshold, and those of weights refitted
 * without the dialogues they are judged on (10 folds), which says how far the shipped ones follow the data.
 *
 *   npx tsx bench/tiage.ts <file.json>   { id: [[utterance, "1" | "0" | "-1"], …] }
 */
import { readFileSync } from 'node:fs'
import { DRIFT_BASELINE_FOLDS, DRIFT_THRESHOLD, driftSigns, measureDrift, type DriftFold, type DriftSigns } from '../src/domain/drift.js'
import { lexicalVector } from '../src/domain/lexical-features.js'
import { contentTerms } from '../src/domain/text/terms.js'

const DIMENSION = 384
const FOLDS = 10
const ITERATIONS = 30

interface Turn {
  readonly dialogue: number
  readonly isShift: boolean
  readonly score: number
  /** The signs, and a 1 for the bias. */
  readonly row: readonly number[]
}

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: tsx bench/tiage.ts <file.json>')
const dialogues = Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, [string, string][]>)
const turns = dialogues.flatMap((utterances, dialogue) => turnsOf(utterances, dialogue))
const started = performance.now()
report(
  'as shipped',
  turns,
  turns.map((turn) => turn.score - DRIFT_THRESHOLD)
)
report('refitted, 10-fold', turns, crossValidated(turns))
const shifts = turns.filter((turn) => turn.isShift).length
console.log(`turns ${turns.length}, shifts ${shifts}, fit ${(performance.now() - started).toFixed(0)} ms`)

function turnsOf(utterances: readonly (readonly [string, string])[], dialogue: number): Turn[] {
  const folds: DriftFold[] = []
  const found: Turn[] = []
  for (const [text, label] of utterances) {
    const input = { text, terms: contentTerms(text), vector: lexicalVector(text, DIMENSION) }
    const before = folds.slice(-DRIFT_BASELINE_FOLDS)
    const { score, dissimilarity } = measureDrift(input, before)
    if (label !== '-1') found.push({ dialogue, isShift: label === '1', score, row: [1, ...valuesOf(driftSigns(input, before))] })
    folds.push({ ...input, role: 'user', dissimilarity })
  }
  return found
}

function valuesOf(signs: DriftSigns | null): number[] {
  if (signs === null) return [0, 0, 0, 0, 0, 0]
  return [signs.surprise, signs.shared, signs.fresh, signs.opening, signs.answering, signs.backReferences]
}

/** Margins over the F1-optimal threshold of the other dialogues, with weights fitted to them. */
function crossValidated(all: readonly Turn[]): number[] {
  const margins = all.map(() => 0)
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = all.filter((turn) => turn.dialogue % FOLDS !== fold)
    const weights = fitted(others)
    const threshold = bestThreshold(
      others,
      others.map((turn) => product(weights, turn.row))
    )
    all.forEach((turn, i) => {
      if (turn.dialogue % FOLDS === fold) margins[i] = product(weights, turn.row) - threshold
    })
  }
  console.log(
    'weights on all:',
    fitted(all)
      .map((weight) => weight.toFixed(2))
      .join(' ')
  )
  return margins
}

/** Logistic regression by Newton's method, ridge 1 but for the bias. */
function fitted(all: readonly Turn[]): number[] {
  const width = all[0]?.row.length ?? 0
  let weights = new Array<number>(width).fill(0)
  for (let i = 0; i < ITERATIONS; i++) {
    const gradient = weights.map((weight, j) => (j === 0 ? 0 : weight))
    const hessian = weights.map((_, j) => weights.map((_, k): number => (j === k && j > 0 ? 1 : 0)))
    for (const { row, isShift } of all) {
      const chance = 1 / (1 + Math.exp(-product(weights, row)))
      row.forEach((x, j) => {
        gradient[j] = (gradient[j] ?? 0) + (chance - (isShift ? 1 : 0)) * x
        const line = hessian[j] ?? []
        row.forEach((z, k) => (line[k] = (line[k] ?? 0) + chance * (1 - chance) * x * z))
      })
    }
    const step = solved(hessian, gradient)
    weights = weights.map((weight, j) => weight - (step[j] ?? 0))
  }
  return weights
}

/** Gaussian elimination with pivots; the matrix is small and positive definite. */
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

function product(weights: readonly number[], row: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * (row[i] ?? 0), 0)
}

function bestThreshold(all: readonly Turn[], scores: readonly number[]): number {
  let best = { f1: -1, threshold: 0 }
  for (const threshold of new Set(scores)) {
    const { f1 } = decided(
      all,
      scores.map((score) => score - threshold)
    )
    if (f1 > best.f1) best = { f1, threshold }
  }
  return best.threshold
}

function decided(all: readonly Turn[], margins: readonly number[]): { f1: number; precision: number; recall: number } {
  let hits = 0
  let calls = 0
  let shifts = 0
  all.forEach((turn, i) => {
    const isCalled = (margins[i] ?? 0) >= 0
    if (isCalled) calls++
    if (turn.isShift) shifts++
    if (isCalled && turn.isShift) hits++
  })
  return { f1: (2 * hits) / Math.max(1, calls + shifts), precision: hits / Math.max(1, calls), recall: hits / Math.max(1, shifts) }
}

/** Chance that a shift scores above another turn, ties half. */
function auroc(all: readonly Turn[], scores: readonly number[]): number {
  const shifts = scores.filter((_, i) => all[i]?.isShift === true)
  const others = scores.filter((_, i) => all[i]?.isShift === false)
  let wins = 0
  for (const shift of shifts) for (const other of others) wins += shift > other ? 1 : shift === other ? 0.5 : 0
  return wins / (shifts.length * others.length)
}

function report(name: string, all: readonly Turn[], margins: readonly number[]): void {
  const { f1, precision, recall } = decided(all, margins)
  const figures = { auroc: auroc(all, margins), f1, precision, recall }
  console.log(
    name,
    Object.entries(figures)
      .map(([key, value]) => `${key} ${value.toFixed(3)}`)
      .join(', ')
  )
}
