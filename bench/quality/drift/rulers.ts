/** Detectors of drift: the service's score, and two baselines that it has to beat. All are causal. */
import {
  DRIFT_BASELINE_FOLDS,
  DRIFT_CONTEXT_FOLDS,
  type DriftFold,
  driftSigns,
  type DriftSigns,
  measureDrift
} from '../../../src/domain/drift/drift.js'
import { readDriftWords } from '../../../src/domain/drift/drift-words.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { topicalTerms } from '../../../src/domain/words/topicless-words.js'
import type { Judged } from '../statistics.js'
import type { MarkedTurn } from './genres.js'

/** Embeds a turn; a stand-in uses the turn's topic. */
export type Embed = (turn: MarkedTurn) => Float32Array

export interface MeasuredTurn extends Judged {
  readonly signs: DriftSigns
}

/** Returns every judged turn with its score. */
export function scoredTurns(turns: readonly MarkedTurn[], embed: Embed, isLearned = false): MeasuredTurn[] {
  const folds: DriftFold[] = []
  return turns.flatMap((turn) => {
    const input = { text: turn.text, words: readDriftWords(contentTerms(turn.text)), vector: embed(turn) }
    const before = folds.slice(-DRIFT_BASELINE_FOLDS)
    const measure = turn.role === 'user' ? measureDrift(input, before, { isLearned }) : null
    const signs = driftSigns(input, before)
    folds.push({ ...input, role: turn.role, dissimilarity: measure?.dissimilarity ?? 0 })
    return turn.isChange === null || measure === null || signs === null ? [] : [{ isTrue: turn.isChange, score: measure.score, signs }]
  })
}

/** Baseline: the share of a turn's topical terms that the last turns lack. */
export function plainRatio(turns: readonly MarkedTurn[]): Judged[] {
  const terms = turns.map(({ text }) => topicalTerms(contentTerms(text)))
  return judgedTurns(turns, (at) => {
    const known = new Set(terms.slice(Math.max(0, at - DRIFT_CONTEXT_FOLDS), at).flat())
    const own = terms[at] ?? []
    return own.length === 0 ? 0 : own.filter((term) => !known.has(term)).length / own.length
  })
}

/** Turns in the block before a gap, and the factor of the standard deviation in the cut-off. */
const TILING_BLOCK = 4
const TILING_DEVIATIONS = 0.5

/**
 * TextTiling (Hearst, 1997) without look-ahead: how far the similarity of a turn to the preceding block lies below the last peak, in
 * standard deviations above the usual cut-off (the mean depth so far minus half a deviation).
 */
export function causalTextTiling(turns: readonly MarkedTurn[]): Judged[] {
  const counts = turns.map(({ text }) => countsOf(contentTerms(text)))
  const similarities = counts.map((own, at) => cosine(own, merged(counts.slice(Math.max(0, at - TILING_BLOCK), at))))
  const depths = similarities.map((own, at) => {
    let peak = own
    for (let i = at - 1; i > 0 && (similarities[i] ?? 0) >= peak; i--) peak = similarities[i] ?? 0
    return peak - own
  })
  return judgedTurns(turns, (at) => {
    const before = depths.slice(1, at)
    const mean = before.reduce((sum, depth) => sum + depth, 0) / Math.max(1, before.length)
    const deviation = Math.sqrt(before.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / Math.max(1, before.length))
    return (depths[at] ?? 0) - (mean - TILING_DEVIATIONS * deviation)
  })
}

function judgedTurns(turns: readonly MarkedTurn[], scoreAt: (at: number) => number): Judged[] {
  return turns.flatMap(({ isChange }, at) => (isChange === null ? [] : [{ isTrue: isChange, score: scoreAt(at) }]))
}

type Counts = ReadonlyMap<string, number>

function countsOf(terms: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

function merged(all: readonly Counts[]): Counts {
  const sum = new Map<string, number>()
  for (const counts of all) for (const [term, count] of counts) sum.set(term, (sum.get(term) ?? 0) + count)
  return sum
}

function cosine(a: Counts, b: Counts): number {
  const length = (counts: Counts): number => Math.hypot(...counts.values())
  const product = [...a].reduce((sum, [term, count]) => sum + count * (b.get(term) ?? 0), 0)
  return product === 0 ? 0 : product / (length(a) * length(b))
}
