/** Drift per genre: as shipped, fitted on the other genres, and beside two baselines. */
import { DRIFT_THRESHOLD } from '../../../src/domain/drift/drift.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'
import { auroc, bestThreshold, decided, type Judged, table, withInterval } from '../statistics.js'
import { BAND_NAMES, fitted, fittedGap, judgedBy, promised, reliability } from './fit.js'
import { demoGenre, type Genre, type MarkedTurn, ownTalksGenre, trainingGenres } from './genres.js'
import { causalTextTiling, type Embed, type MeasuredTurn, plainRatio, scoredTurns } from './rulers.js'

/** Default dimension of a session. */
const DIMENSION = 384

const LEXICAL: Embed = ({ text }) => lexicalVector(text, DIMENSION)

interface Ruler {
  readonly name: string
  readonly measure: (turns: readonly MarkedTurn[]) => readonly Judged[]
  /** Null: the best threshold on the other genres. */
  readonly threshold: number | null
}

const RULERS: readonly Ruler[] = [
  { name: 'as shipped', measure: (turns) => scoredTurns(turns, LEXICAL), threshold: DRIFT_THRESHOLD },
  { name: 'plain ratio of new words', measure: plainRatio, threshold: null },
  { name: 'causal TextTiling', measure: causalTextTiling, threshold: 0 }
]

export function measureDriftQuality(data: string, seed: number): string {
  const training = [...trainingGenres(data, seed), ownTalksGenre()]
  const genres = [...training, demoGenre()]
  const rows = genres.flatMap((genre) => [
    ...RULERS.map((ruler) => rowOf(genre, ruler, training)),
    ...(training.includes(genre) ? [leftOutRow(genre, training)] : [])
  ])
  return [
    `### Drift, lexical embedder`,
    ...genres.map((genre) => `- ${genre.name}: ${sizesOf(genre)}`),
    table(['genre', 'by', 'AUROC', 'F1', 'precision', 'recall'], rows),
    `weights fitted on all four (bias, novelty, fields, opening, answering, announcing): ${fitted(training.map(measured))
      .map((weight) => weight.toFixed(2))
      .join(', ')}`,
    'Of the turns of each band of scores, how many are changes:',
    table(
      ['genre', ...BAND_NAMES],
      genres.map((genre) => [genre.name, ...reliability(measured(genre))])
    ),
    'Of the turns that are reported, how many are changes, and the mean of their scores:',
    table(
      ['genre', 'reported', 'changes', 'mean score', 'not calibrated', 'gap by the others', 'mean score with it'],
      genres.map((genre) => promisedRow(genre, training))
    )
  ].join('\n\n')
}

function rowOf(genre: Genre, { name, measure, threshold }: Ruler, training: readonly Genre[]): string[] {
  const others = training
    .filter((other) => other !== genre)
    .flatMap(({ conversations }) => conversations.flatMap((turns) => measure(turns)))
  return figures(genre.name, name, genre.conversations.map(measure), threshold ?? bestThreshold(others))
}

/** Uses weights and threshold fitted on the other genres. */
function leftOutRow(genre: Genre, training: readonly Genre[]): string[] {
  const others = training.filter((other) => other !== genre).map(measured)
  const weights = fitted(others)
  const threshold = bestThreshold(others.flatMap((turns) => judgedBy(weights, turns)))
  const judged = genre.conversations.map((turns) => judgedBy(weights, scoredTurns(turns, LEXICAL)))
  return figures(genre.name, 'the same signs, fitted on the others', judged, threshold)
}

function figures(genre: string, name: string, judged: readonly (readonly Judged[])[], threshold: number): string[] {
  const { precision, recall } = decided(judged.flat(), threshold)
  const f1 = withInterval(judged, (items) => decided(items, threshold).f1)
  return [genre, name, withInterval(judged, auroc), f1, precision.toFixed(2), recall.toFixed(2)]
}

function measured({ conversations }: Genre): MeasuredTurn[] {
  return conversations.flatMap((turns) => scoredTurns(turns, LEXICAL))
}

function promisedRow(genre: Genre, training: readonly Genre[]): string[] {
  const turns = measured(genre)
  const gap = fittedGap(training.filter((other) => other !== genre).map(measured))
  const { turns: count, changes, score } = promised(turns)
  const figures = [changes, score, promised(turns, 0).score, gap, promised(turns, gap).score]
  return [genre.name, String(count), ...figures.map((figure) => figure.toFixed(2))]
}

function sizesOf({ conversations }: Genre): string {
  const judged = conversations.flat().filter(({ isChange }) => isChange !== null)
  const changes = judged.filter(({ isChange }) => isChange === true).length
  return `${conversations.length} conversations, ${judged.length} turns judged, ${changes} changes`
}
