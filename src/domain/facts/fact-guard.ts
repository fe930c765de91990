/** Distinguishes texts that a cosine cannot: "enable 2FA" and "disable 2FA" are close in every embedding. */
import type { FactKind } from '../fact-kinds.js'
import { FACT_COMPARED_LENGTH_MAX, FACT_COMPARISONS_MAX, FACT_LENGTH_MAX, FACT_QUOTATIONS_MAX, FACT_WORDS_MAX } from '../limits.js'
import { createPace, inOneGo, isPauseDue, type Pieces } from '../pieces.js'
import { differsInArticlesOnly } from './articles.js'
import { hasOtherCode } from './code-marks.js'
import { type Facts, factsOf, isMissing } from './facts.js'
import { unmatched } from './forms.js'
import { hasOtherRoles } from './german-roles.js'
import { hasOtherPrepositions, isDoneByOthers, isGovernedOtherwise, isReflexive } from './government.js'
import { INVERTED, SUBORDINATE } from './grammar.js'
import { hasOtherName } from './names.js'
import { hasOtherSymbols, isComparedAsValue } from './numbers.js'
import { hasOpposites } from './opposites.js'
import { hasOtherSequence, isMovedAbout, isReordered } from './order.js'
import { hasOtherPerson, hasOtherTense, isSaidPassively } from './persons.js'
import { hasOtherPlurals, isAskedOfOnePerson, isOfOneOnly } from './plurals.js'
import { asksOtherwise } from './questions.js'
import { contentWords } from './reading.js'
import { isInCapitals, isUnstressed } from '../text/normal-form.js'
import { hasExchangedAttributes, hasOtherAttributes, hasOtherClauses, hasOtherScope, isActedOnOtherwise } from './scope.js'
import { isInKeywords } from './keywords.js'
import { isMeantOtherwise } from './senses.js'
import { hasOtherSmallWords } from './small-words.js'
import { isSpelledOut } from './spellings.js'
import { isAllowedNotPossible } from './tenses.js'
import type { Reading, Word } from './words.js'

export interface FactDifference {
  readonly kind: FactKind
}

/** Compares one text, read once, with as many others as one command may compare. */
export interface FactGuard {
  /**
   * As `factsDiffer`, in pieces; a check of long texts or some expressions per piece. Once the guard is spent, every text that was not
   * compared before differs.
   */
  differs(other: string): Pieces<FactDifference | null>
  /**
   * How much of a text that `differs` compared says the same: 1 if nothing differs. Otherwise the share of words that both have, below
   * GRADE_MAX, and half of it unless one only says more than the other. 0 if they were not compared.
   */
  grade(other: string): number
  /** Whether the budget is used up: FACT_COMPARISONS_MAX texts, with FACT_COMPARED_LENGTH_MAX UTF-16 units in total. */
  isSpent(): boolean
}

/**
 * First difference found that keeps two texts from meaning the same; null if none. Symmetric; English and German; rules only. Rejects many
 * paraphrases rather than overlook one difference of fact. Texts of more than FACT_WORDS_MAX words differ unless they are equal except for
 * white space. Takes time proportional to the texts, a few milliseconds at most.
 */
export function factsDiffer(a: string, b: string): FactDifference | null {
  return inOneGo(createFactGuard(a).differs(b))
}

/**
 * Bound on the grade of texts that differ: the lowest similarity at which a text belongs to a matter. A caller that requires that much gets
 * the guard's veto.
 */
export const GRADE_MAX = 0.7

const UNREAD: FactDifference = { kind: 'unread' }

interface Verdict {
  readonly difference: FactDifference | null
  /** Facts of the other text; null when it was not read for them. */
  readonly facts: Facts | null
}

const SAME: Verdict = { difference: null, facts: null }
const NOT_READ: Verdict = { difference: UNREAD, facts: null }

/** As `factsDiffer`, for one text and many others: about 0.1 ms each for single sentences. */
export function createFactGuard(text: string): FactGuard {
  let own: Facts | null = null
  const verdicts = new Map<string, Verdict>()
  let comparisons = 0
  let length = 0
  const isSpent = (): boolean => comparisons >= FACT_COMPARISONS_MAX || length >= FACT_COMPARED_LENGTH_MAX
  function* compared(other: string): Pieces<Verdict> {
    if (!isReadable(text) || !isReadable(other)) return isSameButForSpace(text, other) ? SAME : NOT_READ
    own ??= yield* factsOf(text)
    const facts = yield* factsOf(other)
    return { difference: yield* differenceOf(own, facts), facts }
  }
  const verdictOn = (other: string): Verdict | undefined => (text === other ? SAME : verdicts.get(other))
  return {
    *differs(other) {
      const verdict = verdictOn(other)
      if (verdict !== undefined) return verdict.difference
      if (isSpent()) return UNREAD
      comparisons += 1
      length += Math.min(other.length, FACT_LENGTH_MAX)
      const found = yield* compared(other)
      verdicts.set(other, found)
      return found.difference
    },
    grade(other) {
      const { difference, facts } = verdictOn(other) ?? NOT_READ
      if (difference === null) return 1
      return difference.kind === 'unread' || own === null || facts === null ? 0 : gradeOf(own, facts, difference)
    },
    isSpent
  }
}

function* differenceOf(left: Facts, right: Facts): Pieces<FactDifference | null> {
  const [own, other] = [left.reading.given, right.reading.given]
  if (own === other || isSpelledOut(own, other) || isInCapitals(own, other)) return null
  if (isUnstressed(own, other) && left.question() === right.question()) return null
  if (isInKeywords(left.reading, right.reading) || isInKeywords(right.reading, left.reading)) return null
  if (!isComparable(left) || !isComparable(right)) return UNREAD
  const pace = createPace()
  const piecesOfCheck = (left.reading.words.length + right.reading.words.length) / WORDS_A_PIECE
  for (const [kind, differs] of CHECKS) {
    if (isPauseDue(pace, piecesOfCheck)) yield
    if (differs(left, right) || differs(right, left)) return { kind }
  }
  return null
}

/** Share of words in common: full if one text only says more than the other, half if they say different things. */
function gradeOf(a: Facts, b: Facts, { kind }: FactDifference): number {
  const count = contentWords(a.reading).length + contentWords(b.reading).length
  const [lost, won] = [unsettled(a, b).length, unsettled(b, a).length]
  const share = count === 0 ? 0 : 1 - (lost + won) / count
  const isMoreOrLess = kind === 'content' && (lost === 0 || won === 0)
  return GRADE_BELOW * share * (isMoreOrLess ? 1 : 1 / 2)
}

/** Highest grade of texts that differ. */
const GRADE_BELOW = GRADE_MAX - 0.01

/** Checked before the text is read. */
function isReadable(text: string): boolean {
  return text.length <= FACT_LENGTH_MAX
}

function isComparable({ reading, quotations }: Facts): boolean {
  return reading.words.length <= FACT_WORDS_MAX && quotations().length <= FACT_QUOTATIONS_MAX
}

/** Whether the texts are equal except for the amount of white space. */
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

/** Words that a check looks at per piece, of both texts. */
const WORDS_A_PIECE = 64

/** Checks by kind of difference; each needs to look in one direction only. Cheap and decisive ones come first. */
const CHECKS: readonly (readonly [FactKind, (a: Facts, b: Facts) => boolean])[] = [
  ['negation', (a, b) => hasOtherNegations(a.negations(), b.negations())],
  ['number', (a, b) => isMissing(a.numbers(), b.numbers()) || hasOtherSymbols(a.reading, b.reading)],
  ['time', (a, b) => isMissing(a.times(), b.times())],
  ['literal', (a, b) => a.quotations().some((quotation) => !b.lower().includes(quotation))],
  ['literal', (a, b) => hasOtherCode(a.chunks(), b.chunks())],
  ['opposite', (a, b) => hasOpposite(a, b) || isMeantOtherwise(a.reading, b.reading)],
  ['name', (a, b) => hasOtherName(a.reading, b.reading)],
  ['question', (a, b) => asksOtherwise(a.question(), b.question())],
  ['person', (a, b) => hasOtherPerson(a, b) || isActedOnOtherwise(a.reading, b.reading)],
  ['tense', (a, b) => hasOtherTense(a, b) || isAllowedNotPossible(a.reading, b.reading)],
  ['relation', (a, b) => isMissing(a.relations(), b.relations()) || hasOtherPrepositions(a.reading, b.reading)],
  ['relation', (a, b) => differsInArticlesOnly(a.reading.words, b.reading.words) || isGovernedOtherwise(a.reading, b.reading)],
  ['relation', (a, b) => isDoneByOthers(a.reading, b.reading)],
  ['relation', (a, b) => isReflexive(a.reading) !== isReflexive(b.reading) || hasOtherScope(a.reading, b.reading)],
  ['content', (a, b) => hasOtherContent(a, b) || hasOtherPlurals(a.reading, b.reading)],
  ['content', (a, b) => isOfOneOnly(a.grammaticalNumbers(), b.grammaticalNumbers()) || isAskedOfOnePerson(a.reading, b.reading)],
  ['relation', (a, b) => hasOtherSmallWords(a, b)],
  ['order', (a, b) => (!isSaidPassively(a, b) && hasOtherOrder(a, b)) || hasOtherRoles(a.reading, b.reading)],
  ['order', (a, b) => hasOtherSequence(a.reading, b.reading)],
  [
    'order',
    (a, b) =>
      hasExchangedAttributes(a.reading, b.reading) || hasOtherAttributes(a.reading, b.reading) || hasOtherClauses(a.reading, b.reading)
  ]
]

function hasOtherOrder(a: Facts, b: Facts): boolean {
  return isReordered(a.reading, b.reading, b.index()) || isMovedAbout(a.reading, b.reading)
}

/**
 * "Why isn't it working" only reveals at its end what is negated; with one negation in each text they count as the same, unless the other
 * one is in a subordinate clause.
 */
function hasOtherNegations(own: readonly string[], others: readonly string[]): boolean {
  if (own.length !== others.length) return true
  const isSubordinate = (negation: string): boolean => negation.endsWith(SUBORDINATE)
  if (own.includes(INVERTED) || others.includes(INVERTED)) return [...own, ...others].some(isSubordinate)
  return isMissing(own.map(stemOf), others.map(stemOf))
}

function stemOf(negation: string): string {
  return negation.replace(SUBORDINATE, '')
}

function hasOpposite(a: Facts, b: Facts): boolean {
  const [own, others] = [a.index().texts, b.index().texts]
  const extra = new Set([...others].filter((text) => !own.has(text)))
  return hasOpposites(
    [...own].filter((text) => !others.has(text)),
    extra
  )
}

/** An additional content word is an additional condition: "reset my password on Windows" is not "reset my password". */
function hasOtherContent(a: Facts, b: Facts): boolean {
  if (unsettled(a, b).length > 0 || isSaidMoreOften(a, b)) return true
  const isEmpty = contentWords(a.reading).length === 0 && contentWords(b.reading).length === 0
  return isEmpty && isMissing(textsOf(a.reading), textsOf(b.reading))
}

/** Whether a word occurs more often: "does every guest get every key", "does every guest get a key". */
function isSaidMoreOften(a: Facts, b: Facts): boolean {
  const [own, others] = [a.counts(), b.counts()]
  return [...own].some(([stem, count]) => count > (others.get(stem) ?? count))
}

/** Words without a counterpart that no other check has compared. */
function unsettled(a: Facts, b: Facts): Word[] {
  const settled = new Set(a.reading.words.filter((_, at) => isComparedAsValue(a.reading, at)))
  return unmatched(a.reading.words, b.reading.words, b.index()).filter((word) => !settled.has(word))
}

function textsOf(reading: Reading): string[] {
  return reading.words.length === 0 ? [reading.text] : reading.words.map((word) => word.text)
}
