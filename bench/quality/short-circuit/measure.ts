/**
 * How well a repeated question is told from one that only looks like it, through the whole service with the lexical embedder and the
 * default threshold: `npx tsx bench/quality/short-circuit/measure.ts`. Each pair has a session of its own: the first text is asked and
 * answered, then the second is asked. Precision is the share of rephrasings among the short circuits, recall the share of
 * rephrasings that are short circuits. Intervals are of 95 %, by bootstrap over pairs.
 */
import { pathToFileURL } from 'node:url'
import { readConfig } from '../../../src/config.js'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { createService, type Service } from '../../../src/service.js'
import { type Language, LANGUAGES, readPairs, type TextPair } from './pairs.js'

export interface ShortCircuitFigures {
  readonly language: Language
  /** Which pairs: those that rules were written with, those kept aside, or pairs of texts that have nothing to do with each other. */
  readonly part: 'worked on' | 'kept aside' | 'unrelated'
  readonly traps: number
  readonly rephrasings: number
  readonly falseHits: number
  readonly trueHits: number
  readonly precision: Estimate
  readonly recall: Estimate
}

/** With the ends of its interval. */
interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

interface Judged {
  readonly isSame: boolean
  readonly isHit: boolean
}

export const SEED = 17
const RESAMPLES = 1000
/** Of each language, drawn by the seed: some seconds of work. */
const UNRELATED_PAIRS = 20_000

/** Measures all sets and prints a line for each. */
export async function measureShortCircuit(): Promise<readonly ShortCircuitFigures[]> {
  console.log(`short circuit: precision and recall at the default threshold, lexical embedder, seed ${SEED}, ${RESAMPLES} resamples`)
  const figures: ShortCircuitFigures[] = []
  const service = await createService(
    readConfig({
      SERVICE_ALLOW_ANONYMOUS: '1',
      SERVICE_RATE_LIMIT_PER_MINUTE: '0',
      SERVICE_EMBEDDER: 'lexical',
      SERVICE_LOG_LEVEL: 'error'
    })
  )
  await service.start()
  try {
    for (const language of LANGUAGES) {
      const pairs = readPairs(language)
      const judged: (Judged & { readonly isKeptAside: boolean })[] = []
      for (const pair of pairs) judged.push({ ...pair, isHit: await isShortCircuit(service, pair) })
      const part = (isKeptAside: boolean): Judged[] => judged.filter((pair) => pair.isKeptAside === isKeptAside)
      figures.push(figuresOf(language, 'worked on', part(false)), figuresOf(language, 'kept aside', part(true)))
      figures.push(figuresOf(language, 'unrelated', unrelated(pairs)))
    }
  } finally {
    await service.close()
  }
  for (const line of figures) console.log(lineOf(line))
  return figures
}

/** Whether the second text, asked after the first was answered, is answered by it. */
export async function isShortCircuit({ http }: Pick<Service, 'http'>, { first, second }: TextPair): Promise<boolean> {
  const run = async (payload: object): Promise<Readonly<Record<string, unknown>>> =>
    (await http.inject({ method: 'POST', url: '/v1/run', payload })).json()
  const { session_id } = await run({ message: first })
  const { short_circuit } = await run({ session_id, message: second, response: 'It is as it was agreed upon.' })
  if (typeof short_circuit !== 'boolean') throw new Error(`No answer for: ${second}`)
  return short_circuit
}

/** Texts of different lines, by the guard alone: a cosine only takes away from what it passes. */
function unrelated(pairs: readonly TextPair[]): Judged[] {
  const random = randomNumbers(SEED)
  return Array.from({ length: UNRELATED_PAIRS }, () => {
    const one = Math.floor(random() * pairs.length)
    const other = (one + 1 + Math.floor(random() * (pairs.length - 1))) % pairs.length
    const [a, b] = [pairs[one]?.first ?? '', pairs[other]?.second ?? '']
    return { isSame: false, isHit: factsDiffer(a, b) === null }
  })
}

function figuresOf(language: Language, part: ShortCircuitFigures['part'], judged: readonly Judged[]): ShortCircuitFigures {
  const count = (isSame: boolean): number => judged.filter((pair) => pair.isSame === isSame).length
  return {
    language,
    part,
    traps: count(false),
    rephrasings: count(true),
    falseHits: judged.filter(({ isSame, isHit }) => isHit && !isSame).length,
    trueHits: judged.filter(({ isSame, isHit }) => isHit && isSame).length,
    precision: estimate(judged, precisionOf),
    recall: estimate(judged, recallOf)
  }
}

function precisionOf(judged: readonly Judged[]): number {
  const hits = judged.filter(({ isHit }) => isHit)
  return hits.length === 0 ? 1 : hits.filter(({ isSame }) => isSame).length / hits.length
}

function recallOf(judged: readonly Judged[]): number {
  const same = judged.filter(({ isSame }) => isSame)
  return same.length === 0 ? 0 : same.filter(({ isHit }) => isHit).length / same.length
}

function estimate(judged: readonly Judged[], figure: (judged: readonly Judged[]) => number): Estimate {
  const random = randomNumbers(SEED)
  const draw = (): Judged => judged[Math.floor(random() * judged.length)] as Judged
  const values = Array.from({ length: RESAMPLES }, () => figure(judged.map(draw))).sort((a, b) => a - b)
  const at = (share: number): number => values[Math.floor(share * (RESAMPLES - 1))] ?? 0
  return { value: figure(judged), low: at(0.025), high: at(0.975) }
}

/** Even numbers in [0, 1), the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function lineOf({ language, part, traps, rephrasings, falseHits, trueHits, precision, recall }: ShortCircuitFigures): string {
  const counts = `${traps} traps: ${falseHits} false hits; ${rephrasings} rephrasings: ${trueHits} hits`
  const rates = rephrasings === 0 ? '' : `; precision ${shown(precision)}, recall ${shown(recall)}`
  return `${language}, ${part}: ${counts}${rates}`
}

function shown({ value, low, high }: Estimate): string {
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await measureShortCircuit()
