/**
 * Fits the cosines of the lexical embedder to the scale of thresholds (`src/domain/similarity/calibration.ts`), and validates the fit on
 * the other half of the data. A pair is an input and a matter: a question and the LoCoMo session with its evidence, or an utterance of
 * TIAGE and the preceding ones on its topic; beside each, the same input with a matter of another conversation. Fitted is the monotone
 * share of pairs that belong together by best cosine (pool adjacent violators), with equal weight for both sets. Each conversation is in
 * only one half.
 *
 *   node --import tsx bench/calibration.ts <locomo.json> <tiage.json>
 */
import { readFileSync } from 'node:fs'
import { readArguments, refuseArguments } from '../src/tools/arguments.js'
import { scaleOf, type SimilarityScale } from '../src/domain/similarity/calibration.js'
import { factsDiffer } from '../src/domain/facts/fact-guard.js'
import { similarity, topSimilarity } from '../src/domain/similarity/vector.js'
import { lexicalVector } from '../src/domain/words/lexical-features.js'
import { LEXICAL_MODEL_NAME } from '../src/domain/similarity/models.js'
import { DIFFERENT } from '../test/domain/facts/fact-pairs.js'
import { FURTHER_DIFFERENT, SAME } from '../test/domain/facts/further-fact-pairs.js'

const DIMENSION = 384
const LEVELS = [0.5, 0.7]

interface Conversation {
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly { readonly question: string; readonly evidence: readonly string[]; readonly category: number }[]
}

/** Texts to which inputs may belong. */
type Matter = readonly Float32Array[]

interface Input {
  readonly vector: Float32Array
  readonly conversation: number
  readonly own: Matter
}

interface Pair {
  readonly source: string
  readonly conversation: number
  readonly cosine: number
  readonly belongs: boolean
}

const USAGE = 'tsx bench/calibration.ts LOCOMO.json TIAGE.json'
const [locomoPath, tiagePath] = readArguments(USAGE, { allowPositionals: true }).positionals
if (locomoPath === undefined || tiagePath === undefined) refuseArguments(USAGE, 'A file is not given')
const pairs = [...pairsOf('LoCoMo', locomoInputs(locomoPath)), ...pairsOf('TIAGE', tiageInputs(tiagePath))]
const fitting = pairs.filter(({ conversation }) => conversation % 2 === 0)
const held = pairs.filter(({ conversation }) => conversation % 2 === 1)
const shares = isotonic(fitting)
for (const level of LEVELS) console.log(`knot: cosine ${cosineOf(shares, level).toFixed(3)} for ${String(level)}`)
const scales: readonly (readonly [string, SimilarityScale])[] = [
  ['raw', (cosine) => cosine],
  ['calibrated', scaleOf(LEXICAL_MODEL_NAME)]
]
for (const source of ['LoCoMo', 'TIAGE']) for (const [name, scale] of scales) reportBelonging(source, name, scale)
for (const [name, scale] of scales) for (const threshold of [0.75, 0.8, 0.82, 0.85]) reportDuplicates(name, scale, threshold)
console.log(
  `raw cosines: ${[0.5, 0.7, 0.75, 0.8, 0.85].map((level) => `${String(level)} is ${cosineAt(scaleOf(LEXICAL_MODEL_NAME), level).toFixed(3)}`).join(', ')}`
)

/** The cosine that a scale maps to this similarity, which is above 0. */
function cosineAt(scale: SimilarityScale, level: number): number {
  let [low, high] = [0, 1]
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2
    if (scale(middle) < level) low = middle
    else high = middle
  }
  return high
}

function locomoInputs(path: string): Input[] {
  const conversations = JSON.parse(readFileSync(path, 'utf8')) as Conversation[]
  return conversations.flatMap(({ conversation, qa }, index) => {
    const matters = new Map<string, Matter>()
    const matterOf = (session: string): Matter => {
      const turns = (conversation[`session_${session}`] ?? []) as readonly { readonly text: string }[]
      const known = matters.get(session) ?? turns.map(({ text }) => vectorOf(text))
      matters.set(session, known)
      return known
    }
    return qa.flatMap(({ question, evidence, category }) => {
      const session = /^D(\d+):/.exec(evidence[0] ?? '')?.[1]
      // Adversarial questions have no true evidence.
      return category === 5 || session === undefined ? [] : [{ vector: vectorOf(question), conversation: index, own: matterOf(session) }]
    })
  })
}

function tiageInputs(path: string): Input[] {
  const dialogues = Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, [string, string][]>)
  return dialogues.flatMap((utterances, conversation) => {
    let own: Float32Array[] = []
    return utterances.flatMap(([text, label]) => {
      const vector = vectorOf(text)
      if (label === '1') own = []
      const before = own
      own = [...own, vector]
      return before.length === 0 ? [] : [{ vector, conversation, own: before }]
    })
  })
}

/** Pairs each input with its own matter, and with one of another conversation of the same half, cut to equal size. */
function pairsOf(source: string, inputs: readonly Input[]): Pair[] {
  return inputs.flatMap(({ vector, conversation, own }, at) => {
    const others = inputs.filter(
      (other) => other.conversation !== conversation && other.conversation % 2 === conversation % 2 && other.own.length >= own.length
    )
    const other = others[(at * 7919) % Math.max(1, others.length)]
    if (other === undefined || own.length === 0) return []
    const pair = (matter: Matter, belongs: boolean): Pair => ({ source, conversation, cosine: topSimilarity(vector, matter), belongs })
    return [pair(own, true), pair(other.own.slice(0, own.length), false)]
  })
}

interface Block {
  readonly cosine: number
  readonly weight: number
  readonly sum: number
}

/** Pool adjacent violators: the monotone shares with the least squared error. */
function isotonic(all: readonly Pair[]): Block[] {
  const counts = new Map<string, number>()
  for (const { source } of all) counts.set(source, (counts.get(source) ?? 0) + 1)
  const blocks: Block[] = []
  for (const { source, cosine, belongs } of all.toSorted((a, b) => a.cosine - b.cosine)) {
    const weight = 1 / (counts.get(source) ?? 1)
    let block: Block = { cosine, weight, sum: belongs ? weight : 0 }
    for (let last = blocks.at(-1); last !== undefined && last.sum / last.weight >= block.sum / block.weight; last = blocks.at(-1)) {
      block = { cosine: last.cosine, weight: last.weight + block.weight, sum: last.sum + block.sum }
      blocks.pop()
    }
    blocks.push(block)
  }
  return blocks
}

/** The least cosine at which this share of pairs belongs together. */
function cosineOf(blocks: readonly Block[], level: number): number {
  return blocks.find(({ sum, weight }) => sum / weight >= level)?.cosine ?? 1
}

function reportBelonging(source: string, name: string, scale: SimilarityScale): void {
  const judged = held.filter((pair) => pair.source === source)
  const rates = LEVELS.toReversed().map((threshold) => {
    const isWrong = ({ cosine, belongs }: Pair): boolean => scale(cosine) >= threshold !== belongs
    const shareOf = (belongs: boolean): string =>
      percent(judged.filter((pair) => pair.belongs === belongs && isWrong(pair)).length, judged.length / 2)
    return `at ${String(threshold)}: false holds ${shareOf(true)}, false passes ${shareOf(false)}`
  })
  console.log(`${source}, ${name}, ${String(judged.length)} held-out pairs: ${rates.join('; ')}`)
}

/** Whether a text is an update by the service's rule: similar enough, and no fact differs. */
function reportDuplicates(name: string, scale: SimilarityScale, threshold: number): void {
  const isMerged = ([a, b]: readonly [string, string]): boolean =>
    scale(similarity(vectorOf(a), vectorOf(b))) >= threshold && factsDiffer(a, b) === null
  const right = SAME.filter(isMerged).length
  const wrong = [...Object.values(DIFFERENT).flat(), ...FURTHER_DIFFERENT].filter(isMerged).length
  console.log(
    `duplicates, ${name}, from ${String(threshold)}: precision ${percent(right, right + wrong)}, recall ${percent(right, SAME.length)}`
  )
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
}

function vectorOf(text: string): Float32Array {
  return lexicalVector(text, DIMENSION)
}
