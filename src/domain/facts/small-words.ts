/** Compares function words between the same content words: if nothing else differs, they are the difference. */
import { FILLERS } from './fillers.js'
import { NOUNS_OF_OR_FOR } from './government.js'
import { isComparedAsValue } from './numbers.js'
import { kindOf } from './plurals.js'
import type { Reading, Word } from './words.js'

const AUXILIARIES = new Set(
  'is are was were am be been being do does did doing done have has had having can could would will shall may must might should'.split(' ')
)
/** Words that other checks compare as times, persons, questions, negations and particles, and that every phrasing moves around. */
const ELSEWHERE = new Set([
  ...AUXILIARIES,
  ...'i me you he him she her we us they them it myself yourself himself herself itself ourselves yourselves themselves'.split(' '),
  ...'how what who whom whose when where why which whether clocktime calendarday calendaryear calendarmonth'.split(' '),
  ...'not no nor so up down off out back away'.split(' ')
])
const POSSESSIVE = new Set('my your his her our their its'.split(' '))
/** Beginnings of a clause after "that", which may then be omitted. */
const CLAUSE = /^(?:the|an?|i|you|he|she|it|we|they|my|your|his|her|our|their|its|there)$/
const PERSONAL = new Set('me you him her us them it'.split(' '))
/** After these words, and at the beginning, "any" carries no meaning. */
const HAVING = new Set(['', 'have', 'has', 'there', 'need', 'get'])
/** After these words, "to" begins an infinitive. */
const ASKING = new Set('how what when where whom which whether'.split(' '))
const OF_OR_FOR = new Set(['of', 'for'])
const WHICH = /^(?:what|which)$/
const VERB = /^(?:is|are|was|were|do|does|did)$/
/** Before an infinitive, for which a frame may have left a gerund: "can i smoking here". */
const BEFORE_INFINITIVE = /^(?:to|i)$/
/** Omissible before a time: "Open Saturdays", "open on Saturdays". */
const BEFORE_TIME = new Set(['on', 'at', 'in', 'for'])

/**
 * Whether two English texts with the same content words in the same order differ in articles, prepositions and the like between them: "is
 * there room", "is there a room". A closed list tells what may be omitted. The small words at the front and at the end are compared
 * together ("on which port", "which port … on").
 */
export function hasOtherSmallWords(a: SmallWords, b: SmallWords): boolean {
  if (a.reading.isGerman || b.reading.isGerman) return false
  if (differsInOneForm(a.reading, b.reading)) return true
  const [own, others] = [a.gaps(), b.gaps()]
  if (own.length !== others.length || own.some(({ next }, at) => next !== others[at]?.next)) return false
  const kind = kindOf(a.reading, b.reading)?.first ?? kindOf(b.reading, a.reading)?.first
  return own.some((gap, at) => !isSameGap(plainGap(gap, kind), plainGap(others[at] as Gap, kind)))
}

/** The gap without the article of a kind. */
function plainGap(gap: Gap, kind: string | undefined): Gap {
  return gap.next === kind ? { ...gap, small: without(gap.small, ['a']) } : gap
}

/**
 * Whether two English texts are equal word for word except for the form of one word: "do you sell glass", "do you sell glasses". If the
 * phrasing changes a form, it changes an auxiliary as well.
 */
function differsInOneForm({ words }: Reading, { words: others }: Reading): boolean {
  if (words.length !== others.length) return false
  const differing = words.flatMap((word, at) => (word.written === others[at]?.written ? [] : [[word, others[at] as Word] as const]))
  const [pair] = differing
  if (pair === undefined || differing.length > 1) return false
  const [one, other] = pair
  if (one.isStop || other.isStop) return AUXILIARIES.has(one.text) && AUXILIARIES.has(other.text)
  const isInfinitive = BEFORE_INFINITIVE.test(one.before) && pair.some(({ written }) => written.endsWith('ing'))
  return one.stem === other.stem && !isInfinitive && pair.every(({ text, written }) => text === written)
}

interface SmallWords {
  readonly reading: Reading
  /** Result of `gapsOf`, cached because a text is compared with many. */
  readonly gaps: () => readonly Gap[]
}

/** The small words before a content word. */
export interface Gap {
  readonly small: readonly string[]
  /** Stem of the content word. */
  readonly next: string
  /** After a noun of HAD: "the price of", "the price for". */
  readonly isHad: boolean
  /** Before a number or a time. */
  readonly isTime: boolean
  readonly hasVerb: boolean
  /** Directly after "what" or "which". */
  readonly isAskedFor: boolean
}

/** Gaps of a text, in order. */
export function gapsOf(reading: Reading): readonly Gap[] {
  const { words } = reading
  const gaps: Gap[] = []
  let small: string[] = []
  let hasVerb = false
  let before = ''
  for (const [at, word] of words.entries()) {
    if (word.isStop) {
      hasVerb ||= VERB.test(word.text)
      small.push(...smallWord(reading, at))
    } else {
      gaps.push({
        small,
        next: word.stem,
        isHad: NOUNS_OF_OR_FOR.test(before),
        isTime: isComparedAsValue(reading, at),
        hasVerb,
        isAskedFor: WHICH.test(word.before)
      })
      ;[small, hasVerb, before] = [[], false, word.written]
    }
  }
  const [first, ...rest] = gaps
  return first === undefined ? [] : [{ ...first, small: [...first.small, ...small].sort() }, ...rest]
}

/** The word in a comparable form; none for a word that another check compares. */
function smallWord({ words }: Reading, at: number): string[] {
  const { text, before } = words[at] as { text: string; before: string }
  const next = words[at + 1]
  if (FILLERS.has(text) || (ELSEWHERE.has(text) && !(text === 'her' && next?.isStop === false))) return []
  // A place, unless it only states existence: "is there a room".
  if (text === 'there') return VERB.test(before) || VERB.test(next?.text ?? '') ? [] : [text]
  if (POSSESSIVE.has(text)) return ['my']
  if (text === 'an') return ['a']
  if (text === 'to' && (ASKING.has(before) || PERSONAL.has(next?.text ?? ''))) return []
  if (text === 'any' && HAVING.has(before)) return []
  if (text === 'that' && next !== undefined && CLAUSE.test(next.text)) return []
  return [text]
}

function isSameGap(a: Gap, b: Gap): boolean {
  const lost = without(a.small, b.small)
  const won = without(b.small, a.small)
  if (lost.length === 0 && won.length === 0) return a.small.length < 2 || a.small.join(' ') === b.small.join(' ')
  return isHarmless(lost, won, a, b) || isHarmless(won, lost, b, a)
}

function isHarmless(lost: readonly string[], won: readonly string[], a: Gap, b: Gap): boolean {
  const [one = '', other = ''] = [lost[0], won[0]]
  if (lost.length > 1 || won.length > 1) return false
  if (OF_OR_FOR.has(one) && OF_OR_FOR.has(other)) return a.isHad
  // "What are the indexes of the table", "what indexes does the table have".
  if (one === 'the') return other === '' && b.isAskedFor
  // "Which members of the board are", "which members are the board".
  if (one === 'of') return other === '' && b.hasVerb
  return BEFORE_TIME.has(one) && a.isTime && a.small.length === 1 && b.small.length === 0
}

function without(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return words.filter((word) => {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
