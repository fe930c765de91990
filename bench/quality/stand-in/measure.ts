/** Retrieval, drift and isolation with stand-ins for a learned model of several strengths, beside the lexical embedder. */
import { readFileSync } from 'node:fs'
import { DRIFT_THRESHOLD } from '../../../src/domain/drift/drift.js'
import { judgeDomain } from '../../../src/domain/similarity/isolation.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'
import { Corpus } from '../../../src/retrieval/corpus.js'
import { DENSE_WEIGHT_LEARNED, DENSE_WEIGHT_LEXICAL } from '../../../src/retrieval/fuse.js'
import { retrieve } from '../../../src/retrieval/pipeline.js'
import { createExactIndexes } from '../../../src/vectors/exact-index.js'
import { BAND_NAMES, reliability } from '../drift/fit.js'
import { DATA_FILES, ownTalksGenre, trainingGenres, type Genre } from '../drift/genres.js'
import { scoredTurns } from '../drift/rulers.js'
import { sittingsOf, textOf, type LocomoSample } from '../retrieval/locomo.js'
import { LANGUAGES, readPairs } from '../short-circuit/pairs.js'
import { auroc, createRandom, decided, type Judged, meanOf, table } from '../statistics.js'
import { memoryOf } from './memory.js'
import { judgedPairs } from './short-circuit.js'
import { createStandIn, STAND_IN_DIMENSION, type Meaning } from './vectors.js'

const STRENGTHS = [0.1, 0.3, 0.6, 0.9]
/** Common shares: vectors in all directions, and a cone in which every cosine is above 0.7. */
const COMMON = [0, 0.7]
const SEEDS = [1, 2, 3]
/** Share of a text's meaning that is its sitting's rather than its own; the same for a question. */
const SITTING_SHARE = 0.5

/** Embeds a text with a given meaning, which the lexical embedder ignores. */
export type Embed = (text: string, meaning: Meaning) => Float32Array

export async function measureStandIn(data: string, seed: number): Promise<string> {
  const samples = JSON.parse(readFileSync(`${data}/${DATA_FILES.locomo}`, 'utf8')) as LocomoSample[]
  const genres = [...trainingGenres(data, seed), ownTalksGenre()]
  const lexical: Embed = (text) => lexicalVector(text, STAND_IN_DIMENSION)
  const rows = [['lexical', '', ...figuresOf(samples, genres, lexical, false)]]
  for (const common of COMMON) {
    for (const strength of STRENGTHS) {
      const figures = SEEDS.map((own) => figuresOf(samples, genres, createStandIn({ strength, common, seed: own }), true))
      rows.push([String(strength), String(common), ...(figures[0] ?? []).map((_, at) => spreadOf(figures.map((one) => Number(one[at]))))])
    }
  }
  return [
    '### A stand-in for a learned model',
    `seeds ${SEEDS.join(', ')}, ${STAND_IN_DIMENSION} dimensions; recall on ${samples.length} conversations of LoCoMo, drift on the four genres`,
    table(['strength', 'common', 'recall@5', 'recall@10', ...genres.map(({ name }) => `drift AUROC, ${name}`), 'isolation AUROC'], rows),
    'Drift as it is reported, at the threshold, and of the turns of each band of scores how many are changes, all seeds together:',
    table(['strength', 'common', 'genre', 'F1', 'precision', 'recall', ...BAND_NAMES], reportedRows(genres, lexical)),
    `Short circuits, ${PAIRS} traps and as many rephrasings in each language, worked on, all seeds together:`,
    table(['strength', 'common', 'precision', 'recall'], await repeatedRows(seed))
  ].join('\n\n')
}

/** The mean, and the range over the seeds. */
function spreadOf(values: readonly number[]): string {
  const [mean, least, most] = [meanOf(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(3))
  return least === most ? `${mean}` : `${mean} (${least} to ${most})`
}

function figuresOf(samples: readonly LocomoSample[], genres: readonly Genre[], embed: Embed, isLearned: boolean): string[] {
  const recalls = samples.flatMap((sample) => recallsOf(sample, embed, isLearned ? DENSE_WEIGHT_LEARNED : DENSE_WEIGHT_LEXICAL))
  const drift = genres.map((genre) => auroc(scoredBy(genre, embed, isLearned)))
  return [meanOf(recalls.map(({ at5 }) => at5)), meanOf(recalls.map(({ at10 }) => at10)), ...drift, isolationOf(samples, embed)].map(
    (value) => value.toFixed(3)
  )
}

function reportedRows(genres: readonly Genre[], lexical: Embed): string[][] {
  const row = (genre: Genre, embeds: readonly Embed[], isLearned: boolean): string[] => {
    const judged = embeds.flatMap((embed) => scoredBy(genre, embed, isLearned))
    const { f1, precision, recall } = decided(judged, DRIFT_THRESHOLD)
    return [genre.name, ...[f1, precision, recall].map((value) => value.toFixed(2)), ...reliability(judged)]
  }
  const standIns = COMMON.flatMap((common) => STRENGTHS.map((strength) => ({ strength, common })))
  return genres.flatMap((genre) => [
    ['lexical', '', ...row(genre, [lexical], false)],
    ...standIns.map(({ strength, common }) => {
      const embeds = SEEDS.map((seed) => createStandIn({ strength, common, seed }))
      return [String(strength), String(common), ...row(genre, embeds, true)]
    })
  ])
}

/** Traps, and rephrasings, drawn by the seed in each language. */
const PAIRS = 150
/** Share of its own in the meaning of a trap's sides: without noise their cosine is 0.8. */
const SIDE_SHARE = 0.5

async function repeatedRows(seed: number): Promise<string[][]> {
  const random = createRandom(seed)
  const pairs = LANGUAGES.flatMap((language) => {
    const all = readPairs(language, ['worked on']).map((pair) => ({ pair, order: random() }))
    const drawn = all.sort((a, b) => a.order - b.order).map(({ pair }) => pair)
    return [true, false].flatMap((isSame) => drawn.filter((pair) => pair.isSame === isSame).slice(0, PAIRS))
  })
  const meanings = new Map<string, Meaning>()
  for (const [at, { first, second, isSame }] of pairs.entries())
    for (const text of [first, second]) meanings.set(text, isSame ? { [at]: 1 } : { [at]: 1, [text]: SIDE_SHARE })
  const row = (name: string, common: string, judged: readonly Judged[]): string[] => {
    const { precision, recall } = decided(judged, 1)
    return [name, common, precision.toFixed(3), recall.toFixed(3)]
  }
  const rows = [row('lexical', '', await judgedPairs(pairs, null))]
  for (const common of COMMON) {
    for (const strength of STRENGTHS) {
      const judged: Judged[] = []
      for (const own of SEEDS) {
        const embed = createStandIn({ strength, common, seed: own })
        judged.push(...(await judgedPairs(pairs, (text) => embed(text, meanings.get(text) ?? { [text]: 1 }))))
      }
      rows.push(row(String(strength), String(common), judged))
    }
  }
  return rows
}

/** The judged turns of a genre. A turn means its topic. */
function scoredBy({ conversations }: Genre, embed: Embed, isLearned: boolean): Judged[] {
  return conversations.flatMap((turns, at) => scoredTurns(turns, ({ text, topic }) => embed(text, { [`${at}/${topic}`]: 1 }), isLearned))
}

/** Recall of each question, in the sample's order. */
export function recallsOf(sample: LocomoSample, embed: Embed, denseWeight: number): { at5: number; at10: number }[] {
  const corpus = new Corpus({ dimension: STAND_IN_DIMENSION, createVectorIndex: createExactIndexes() })
  const ids: string[] = []
  for (const [sitting, turns] of sittingsOf(sample).entries()) {
    for (const turn of turns) {
      const vector = embed(textOf(turn), { [turn.dia_id]: 1, [`sitting ${sitting}`]: SITTING_SHARE })
      corpus.put(memoryOf(ids.length, textOf(turn), vector))
      ids.push(turn.dia_id)
    }
  }
  const recalls = sample.qa.map(({ question, evidence }) => {
    const meaning = Object.fromEntries(evidence.map((id) => [id, 1]))
    const vector = embed(question, evidence.length === 0 ? { [question]: 1 } : meaning)
    const query = { text: question, vector, now: ids.length + 1, limit: 10, denseWeight, monotonicMs: () => 0 }
    const found = inOneGo(retrieve(corpus, query)).hits.map(({ entry }) => ids[entry.memory.seq])
    const share = (k: number): number =>
      evidence.length === 0 ? 1 : evidence.filter((id) => found.slice(0, k).includes(id)).length / evidence.length
    return { at5: share(5), at10: share(10) }
  })
  corpus.close()
  return recalls
}

/** AUROC of isolation: anchors are a sitting's first turns, inputs are its last turns and turns of another conversation. */
function isolationOf(samples: readonly LocomoSample[], embed: Embed): number {
  const judged = samples.flatMap((sample, at) => {
    const others = sittingsOf(samples[(at + 1) % samples.length] as LocomoSample).flat()
    return sittingsOf(sample).flatMap((turns, sitting) => {
      const own: Meaning = { [`${at}/${sitting}`]: 1 }
      const anchors = turns.slice(0, turns.length / 2).map((turn) => embed(turn.text, own))
      const score = (vector: Float32Array): number =>
        judgeDomain({ vector, scale: (cosine) => cosine, level: 'FILTER', threshold: 0.7, anchors, allowlist: [], exclusions: [] })
          .similarity ?? 0
      return turns.slice(turns.length / 2).flatMap(({ text }, n) => {
        const other = others[(sitting * 31 + n) % others.length]?.text ?? ''
        return [
          { isTrue: true, score: score(embed(text, own)) },
          { isTrue: false, score: score(embed(other, { 'another talk': 1 })) }
        ]
      })
    })
  })
  return auroc(judged)
}
