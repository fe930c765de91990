/** Tells texts apart that a cosine cannot: "enable 2FA" and "disable 2FA" lie close in every embedding. */
import { unmatched } from './facts/forms.js'
import { negationsOf, personsOf, questionOf, relationsOf, tensesOf } from './facts/grammar.js'
import { isSettled, numbersOf, timesOf } from './facts/numbers.js'
import { isOpposite } from './facts/opposites.js'
import { isReordered } from './facts/order.js'
import { contentWords, readText, type Reading, type Word } from './facts/reading.js'

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

export interface FactDifference {
  readonly kind: FactKind
}

/**
 * Share of a text's content words that may be extra where the other has none of its own: one in eight.
 * Below, one more word is an aside; above, "reset my password on Windows" would be "reset my password".
 */
const EXTRA_SHARE_MAX = 1 / 8

const QUOTED = /"([^"]{1,500})"|“([^”]{1,500})”|„([^“”]{1,500})[“”]|«([^»]{1,500})»|`([^`]{1,500})`|(?<![\p{L}\p{N}])'([^']{1,500})'(?![\p{L}\p{N}])/gu

/** Compares one text, read once, with others. */
export type FactGuard = (other: string) => FactDifference | null

/**
 * What keeps two texts from meaning the same; null where nothing was found. Symmetric, English and German, by rules alone:
 * it refuses many a paraphrase in other words rather than let one difference of fact pass.
 */
export function factsDiffer(a: string, b: string): FactDifference | null {
  return createFactGuard(a)(b)
}

/** As `factsDiffer`, for comparing one text with many: about 0.1 ms each for single sentences. */
export function createFactGuard(text: string): FactGuard {
  const left = factsOf(text)
  return (other) => {
    if (text === other) return null
    const right = factsOf(other)
    if (left().reading.text === right().reading.text) return null
    const kind = CHECKS.find(([, differs]) => differs(left(), right()) || differs(right(), left()))?.[0]
    return kind === undefined ? null : { kind }
  }
}

/** A reading with what it states; each part is worked out when a check first asks for it. */
interface Facts {
  readonly reading: Reading
  readonly negations: () => readonly string[]
  readonly numbers: () => readonly string[]
  readonly times: () => readonly string[]
  readonly question: () => string
  readonly persons: () => readonly string[]
  readonly tenses: () => readonly string[]
  readonly relations: () => readonly string[]
}

function factsOf(text: string): () => Facts {
  return once(() => {
    const reading = readText(text)
    return {
      reading,
      negations: once(() => negationsOf(reading)),
      numbers: once(() => numbersOf(reading)),
      times: once(() => timesOf(reading)),
      question: once(() => questionOf(reading) ?? ''),
      persons: once(() => personsOf(reading)),
      tenses: once(() => tensesOf(reading)),
      relations: once(() => relationsOf(reading))
    }
  })
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
  ['literal', (a, b) => hasOtherQuotation(a.reading, b.reading)],
  ['opposite', (a, b) => hasOpposite(a.reading, b.reading)],
  ['name', (a, b) => hasOtherName(a.reading, b.reading)],
  ['question', (a, b) => a.question() !== b.question()],
  ['person', (a, b) => hasOtherPerson(a.persons(), b.persons())],
  ['tense', (a, b) => isMissing(a.tenses(), b.tenses())],
  ['relation', (a, b) => isMissing(a.relations(), b.relations())],
  ['content', (a, b) => hasOtherContent(a.reading, b.reading)],
  ['order', (a, b) => isReordered(a.reading, b.reading)]
]

function isMissing(values: readonly string[], among: readonly string[]): boolean {
  return values.some((value) => !among.includes(value))
}

/** What one quotes, the other says, quoted or not. */
function hasOtherQuotation(a: Reading, b: Reading): boolean {
  const other = b.text.toLowerCase()
  for (const match of a.text.matchAll(QUOTED)) {
    const groups: readonly (string | undefined)[] = match.slice(1)
    const quotation = groups.find((group) => group !== undefined)
    if (quotation !== undefined && !other.includes(quotation.toLowerCase())) return true
  }
  return false
}

function hasOpposite(a: Reading, b: Reading): boolean {
  const own = a.words.filter((word) => !hasWord(b, word.text))
  const others = b.words.filter((word) => !hasWord(a, word.text))
  return own.some((word) => others.some((other) => isOpposite(word.text, other.text)))
}

/** Names that are small words otherwise ("US", "IT") must be names in both, unless the other knows no capitals. */
function hasOtherName(a: Reading, b: Reading): boolean {
  if (b.isLowerCase) return false
  const small = a.words.filter((word) => word.isStop && word.text !== 'i' && a.names.has(word.text))
  return small.some((word) => hasWord(b, word.text) && !b.names.has(word.text))
}

/**
 * The first person may be left out ("reset my password", "reset the password"), anybody else not. Two persons keep their
 * order, and nobody changes from the one who acts to the one acted on.
 */
function hasOtherPerson(own: readonly string[], others: readonly string[]): boolean {
  const people = own.map(personOf)
  const otherPeople = others.map(personOf)
  if (people.some((person) => !otherPeople.includes(person) && (person !== 'i' || otherPeople.length > 0))) return true
  if (new Set(people).size > 1 && firstsOf(people) !== firstsOf(otherPeople)) return true
  return others.length > 0 && own.length > 0 && !own.some((person) => others.includes(person))
}

/** Without the role that "me" adds to "I". */
function personOf(person: string): string {
  return person.replace(':o', '')
}

function firstsOf(people: readonly string[]): string {
  return [...new Set(people)].join(' ')
}

function hasOtherContent(a: Reading, b: Reading): boolean {
  const extra = unsettled(a, b)
  if (extra.length === 0) return contentWords(a).length === 0 && contentWords(b).length === 0 && isMissing(textsOf(a), textsOf(b))
  const isTelling = extra.some((word) => a.names.has(word.text) && !a.isGerman)
  return isTelling || unsettled(b, a).length > 0 || extra.length > EXTRA_SHARE_MAX * contentWords(a).length
}

/** Words without counterpart that no other check has compared. */
function unsettled(a: Reading, b: Reading): Word[] {
  const settled = new Set(a.words.filter((_, at) => isSettled(a, at)))
  return unmatched(a.words, b.words).filter((word) => !settled.has(word))
}

function hasWord(reading: Reading, text: string): boolean {
  return reading.words.some((word) => word.text === text)
}

function textsOf(reading: Reading): string[] {
  return reading.words.length === 0 ? [reading.text] : reading.words.map((word) => word.text)
}
