/** Facts stated by a text, each computed when a check first asks for it. */
import type { Pieces } from '../pieces.js'
import { type Chunk, chunksOf } from './code-marks.js'
import { englishNumbersOf } from './english-number.js'
import { indexWords, type WordIndex } from './forms.js'
import { germanNumbersOf, type GrammaticalNumber } from './german-number.js'
import { negationsOf, personsOf, relationsOf } from './grammar.js'
import { numbersOf, timesOf } from './numbers.js'
import { questionOf } from './questions.js'
import { contentWords, readText } from './reading.js'
import { type Gap, gapsOf } from './small-words.js'
import { tensesOf } from './tenses.js'
import type { Reading } from './words.js'

/** Quotations must not contain an opening mark, so that a run of such marks takes linear time. */
const QUOTED =
  /"([^"]{1,500})"|“([^“”]{1,500})”|„([^„“”]{1,500})[“”]|«([^«»]{1,500})»|`([^`]{1,500})`|(?<![\p{L}\p{N}])'([^']{1,500})'(?![\p{L}\p{N}])/gu

/** A reading of a text, with its facts. */
export interface Facts {
  readonly reading: Reading
  readonly index: () => WordIndex
  readonly lower: () => string
  readonly quotations: () => readonly string[]
  readonly chunks: () => readonly Chunk[]
  readonly negations: () => readonly string[]
  readonly numbers: () => readonly string[]
  readonly times: () => readonly string[]
  readonly question: () => string
  readonly persons: () => readonly string[]
  readonly tenses: () => readonly string[]
  readonly relations: () => readonly string[]
  readonly gaps: () => readonly Gap[]
  readonly counts: () => ReadonlyMap<string, number>
  /** Grammatical number of what the text speaks of. */
  readonly grammaticalNumbers: () => ReadonlyMap<string, GrammaticalNumber>
}

/** Reads a text in pieces. */
export function* factsOf(text: string): Pieces<Facts> {
  const reading = yield* readText(text)
  return {
    reading,
    index: lazy(() => indexWords(reading.words)),
    lower: lazy(() => reading.text.toLowerCase()),
    quotations: lazy(() => quotationsOf(reading)),
    chunks: lazy(() => chunksOf(reading.given)),
    negations: lazy(() => negationsOf(reading)),
    numbers: lazy(() => numbersOf(reading)),
    times: lazy(() => timesOf(reading)),
    question: lazy(() => questionOf(reading) ?? ''),
    persons: lazy(() => personsOf(reading)),
    tenses: lazy(() => tensesOf(reading)),
    relations: lazy(() => relationsOf(reading)),
    gaps: lazy(() => gapsOf(reading)),
    counts: lazy(() => countsOf(reading)),
    grammaticalNumbers: lazy(() => (reading.isGerman ? germanNumbersOf : englishNumbersOf)(reading))
  }
}

export function lazy<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function countsOf(reading: Reading): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { stem } of contentWords(reading)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

/** Distinct quotations; the other text has to contain them, quoted or not. */
function quotationsOf(reading: Reading): string[] {
  const found = new Set<string>()
  for (const match of reading.text.matchAll(QUOTED)) {
    const groups: readonly (string | undefined)[] = match.slice(1)
    const quotation = groups.find((group) => group !== undefined)
    if (quotation !== undefined) found.add(quotation.toLowerCase())
  }
  return [...found]
}

/** Whether any of the values is missing from `among`. */
export function isMissing(values: readonly string[], among: readonly string[]): boolean {
  const held = new Set(among)
  return values.some((value) => !held.has(value))
}
