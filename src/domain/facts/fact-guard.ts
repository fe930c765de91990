/** Tells texts apart that a cosine cannot: "enable 2FA" and "disable 2FA" lie close in every embedding. */
import { FACT_COMPARED_LENGTH_MAX, FACT_COMPARISONS_MAX, FACT_LENGTH_MAX, FACT_QUOTATIONS_MAX, FACT_WORDS_MAX } from '../limits.js'
import { indexWords, unmatched, type WordIndex } from './forms.js'
import { negationsOf, personsOf, questionOf, relationsOf, tensesOf } from './grammar.js'
import { isSettled, numbersOf, timesOf } from './numbers.js'
import { hasOpposites } from './opposites.js'
import { isReordered } from './order.js'
import { contentWords, readText } from './reading.js'
import type { Reading, Word } from './words.js'

export type FactKind =
  | 'negation'
  | 'opposite'
  | 'number'
  | 'time'
  | 'literal'
  | 'name'
  | 'question'
  | 'person'
  | 'tense'
  | 'relation'
  | 'order'
  | 'content'
  /** Too long to be compared, or one comparison more than the call may make. */
  | 'unread'

export interface FactDifference {
  readonly kind: FactKind
}

/**
 * Share of a text's content words that may be extra where the other has none of its own: one in eight.
 * Below, one more word is an aside; above, "reset my password on Windows" would be "reset my password".
 */
const EXTRA_SHARE_MAX = 1 / 8

/** Openings are no part of what is quoted, so that a row of them takes no more than linear time. */
const QUOTED =
  /"([^"]{1,500})"|“([^“”]{1,500})”|„([^„“”]{1,500})[“”]|«([^«»]{1,500})»|`([^`]{1,500})`|(?<![\p{L}\p{N}])'([^']{1,500})'(?![\p{L}\p{N}])/gu

/** Compares one text, read once, with others, as many as one command may compare. */
export interface FactGuard {
  /** As `factsDiffer`. Once the guard is spent every other text differs, but for those compared before. */
  differs(other: string): FactDifference | null
  /** Whether it has compared all it may: FACT_COMPARISONS_MAX texts, of FACT_COMPARED_LENGTH_MAX together. */
  readonly isSpent: boolean
}

/**
 * What keeps two texts from meaning the same; null where nothing was found. Symmetric, English and German, by rules alone:
 * it refuses many a paraphrase in other words rather than let one difference of fact pass. Texts of more than FACT_WORDS_MAX
 * words differ unless they are the same but for white space. Takes time in proportion to the texts, a few milliseconds at most.
 */
export function factsDiffer(a: string, b: string): FactDifference | null {
  return createFactGuard(a).differs(b)
}

const UNREAD: FactDifference = { kind: 'unread' }

/** As `factsDiffer`, for comparing one text with many: about 0.1 ms each for single sentences. */
export function createFactGuard(text: string): FactGuard {
  const own = once(() => factsOf(text))
  const known = new Map<string, FactDifference | null>()
  let comparisons = 0
  let length = 0
  const isSpent = (): boolean => comparisons >= FACT_COMPARISONS_MAX || length >= FACT_COMPARED_LENGTH_MAX
  return {
    differs(other) {
      if (text === other) return null
      const verdict = known.get(other)
      if (verdict !== undefined) return verdict
      if (isSpent()) return UNREAD
      comparisons += 1
      length += Math.min(other.length, FACT_LENGTH_MAX)
      const difference =
        isReadable(text) && isReadable(other) ? differenceOf(own(), factsOf(other)) : isSameButForSpace(text, other) ? null : UNREAD
      known.set(other, difference)
      return difference
    },
    get isSpent() {
      return isSpent()
    }
  }
}

function differenceOf(left: Facts, right: Facts): FactDifference | null {
  if (left.reading.text === right.reading.text) return null
  if (!isComparable(left) || !isComparable(right)) return UNREAD
  const kind = CHECKS.find(([, differs]) => differs(left, right) || differs(right, left))?.[0]
  return kind === undefined ? null : { kind }
}

/** Before it has been read. */
function isReadable(text: string): boolean {
  return text.length <= FACT_LENGTH_MAX
}

function isComparable({ reading, quotations }: Facts): boolean {
  return reading.words.length <= FACT_WORDS_MAX && quotations().length <= FACT_QUOTATIONS_MAX
}

/** Whether both have the same characters, and white space between the same ones. */
function isSameButForSpace(a: string, b: string): boolean {
  const ends = [a.trimEnd().length, b.trimEnd().length] as const
  let [i, j] = [a.length - a.trimStart().length, b.length - b.trimStart().length]
  while (i < ends[0] && j < ends[1]) {
    const isSpace = SPACE.test(a.charAt(i))
    if (isSpace ? !SPACE.test(b.charAt(j)) : a.charAt(i) !== b.charAt(j)) return false
    i++
    j++
    if (!isSpace) continue
    while (SPACE.test(a.charAt(i))) i++
    while (SPACE.test(b.charAt(j))) j++
  }
  return i === ends[0] && j === ends[1]
}

const SPACE = /\s/u

/** A reading with what it states; each part is worked out when a check first asks for it. */
interface Facts {
  readonly reading: Reading
  readonly index: () => WordIndex
  readonly lower: () => string
  readonly quotations: () => readonly string[]
  readonly negations: () => readonly string[]
  readonly numbers: () => readonly string[]
  readonly times: () => readonly string[]
  readonly question: () => string
  readonly persons: () => readonly string[]
  readonly tenses: () => readonly string[]
  readonly relations: () => readonly string[]
}

function factsOf(text: string): Facts {
  const reading = readText(text)
  return {
    reading,
    index: once(() => indexWords(reading.words)),
    lower: once(() => reading.text.toLowerCase()),
    quotations: once(() => quotationsOf(reading)),
    negations: once(() => negationsOf(reading)),
    numbers: once(() => numbersOf(reading)),
    times: once(() => timesOf(reading)),
    question: once(() => questionOf(reading) ?? ''),
    persons: once(() => personsOf(reading)),
    tenses: once(() => tensesOf(reading)),
    relations: once(() => relationsOf(reading))
  }
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Each need only look in one direction. Cheap and telling ones first. */
const CHECKS: readonly (readonly [FactKind, (a: Facts, b: Facts) => boolean])[] = [
  ['negation', (a, b) => isMissing(a.negations(), b.negations()) || a.negations().length > b.negations().length],
  ['number', (a, b) => isMissing(a.numbers(), b.numbers())],
  ['time', (a, b) => isMissing(a.times(), b.times())],
  ['literal', (a, b) => a.quotations().some((quotation) => !b.lower().includes(quotation))],
  ['opposite', (a, b) => hasOpposite(a, b)],
  ['name', (a, b) => hasOtherName(a, b)],
  ['question', (a, b) => a.question() !== b.question()],
  ['person', (a, b) => hasOtherPerson(a.persons(), b.persons())],
  ['tense', (a, b) => isMissing(a.tenses(), b.tenses())],
  ['relation', (a, b) => isMissing(a.relations(), b.relations())],
  ['content', (a, b) => hasOtherContent(a, b)],
  ['order', (a, b) => isReordered(a.reading, b.reading, b.index())]
]

function isMissing(values: readonly string[], among: readonly string[]): boolean {
  const held = new Set(among)
  return values.some((value) => !held.has(value))
}

/** What is quoted, each once: the other text has to say it, quoted or not. */
function quotationsOf(reading: Reading): string[] {
  const found = new Set<string>()
  for (const match of reading.text.matchAll(QUOTED)) {
    const groups: readonly (string | undefined)[] = match.slice(1)
    const quotation = groups.find((group) => group !== undefined)
    if (quotation !== undefined) found.add(quotation.toLowerCase())
  }
  return [...found]
}

function hasOpposite(a: Facts, b: Facts): boolean {
  const [own, others] = [a.index().texts, b.index().texts]
  const extra = new Set([...others].filter((text) => !own.has(text)))
  return hasOpposites(
    [...own].filter((text) => !others.has(text)),
    extra
  )
}

/** Names that are small words otherwise ("US", "IT") must be names in both, unless the other knows no capitals. */
function hasOtherName(a: Facts, b: Facts): boolean {
  if (b.reading.isLowerCase) return false
  const small = a.reading.words.filter((word) => word.isStop && word.text !== 'i' && a.reading.names.has(word.text))
  return small.some((word) => b.index().texts.has(word.text) && !b.reading.names.has(word.text))
}

/**
 * The first person may be left out ("reset my password", "reset the password"), anybody else not. Two persons keep their
 * order, and nobody changes from the one who acts to the one acted on.
 */
function hasOtherPerson(own: readonly string[], others: readonly string[]): boolean {
  const people = new Set(own.map(personOf))
  const otherPeople = new Set(others.map(personOf))
  if ([...people].some((person) => !otherPeople.has(person) && (person !== 'i' || otherPeople.size > 0))) return true
  if (people.size > 1 && [...people].join(' ') !== [...otherPeople].join(' ')) return true
  const otherRoles = new Set(others)
  return others.length > 0 && own.length > 0 && !own.some((person) => otherRoles.has(person))
}

/** Without the role that "me" adds to "I". */
function personOf(person: string): string {
  return person.replace(':o', '')
}

function hasOtherContent(a: Facts, b: Facts): boolean {
  const extra = unsettled(a, b)
  const own = contentWords(a.reading).length
  if (extra.length === 0) return own === 0 && contentWords(b.reading).length === 0 && isMissing(textsOf(a.reading), textsOf(b.reading))
  const isTelling = extra.some((word) => a.reading.names.has(word.text) && !a.reading.isGerman)
  return isTelling || unsettled(b, a).length > 0 || extra.length > EXTRA_SHARE_MAX * own
}

/** Words without counterpart that no other check has compared. */
function unsettled(a: Facts, b: Facts): Word[] {
  const settled = new Set(a.reading.words.filter((_, at) => isSettled(a.reading, at)))
  return unmatched(a.reading.words, b.reading.words, b.index()).filter((word) => !settled.has(word))
}

function textsOf(reading: Reading): string[] {
  return reading.words.length === 0 ? [reading.text] : reading.words.map((word) => word.text)
}
