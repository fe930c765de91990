/** Small words between the same words of content: where they are all that differs, they are what differs. */
import { FILLERS } from './fillers.js'
import { HAD } from './government.js'
import { isSettled } from './numbers.js'
import type { Reading, Word } from './words.js'

const AUXILIARIES = new Set(
  'is are was were am be been being do does did doing done have has had having can could would will shall may must might should'.split(' ')
)
/** Compared as times, persons, questions, negations and particles, and moved about by each way of asking. */
const ELSEWHERE = new Set([
  ...AUXILIARIES,
  ...'i me you he him she her we us they them it myself yourself himself herself itself ourselves yourselves themselves'.split(' '),
  ...'how what who whom whose when where why which whether clocktime calendarday calendaryear calendarmonth'.split(' '),
  ...'not no nor so up down off out back away'.split(' ')
])
const POSSESSIVE = new Set('my your his her our their its'.split(' '))
/** Who or what begins a clause behind "that", which may go unsaid then. */
const CLAUSE = /^(?:the|an?|i|you|he|she|it|we|they|my|your|his|her|our|their|its|there)$/
const PERSONAL = new Set('me you him her us them it'.split(' '))
/** Behind these, and at the beginning, "any" only asks. */
const HAVING = new Set(['', 'have', 'has', 'there', 'need', 'get'])
/** Behind these "to" begins a verb. */
const ASKING = new Set('how what when where whom which whether'.split(' '))
const OF_OR_FOR = new Set(['of', 'for'])
const WHICH = /^(?:what|which)$/
const VERB = /^(?:is|are|was|were|do|does|did)$/
/** "Open Saturdays", "open on Saturdays". */
const BEFORE_TIME = new Set(['on', 'at', 'in', 'for'])

/**
 * Whether two English texts of the same words of content, in the same order, differ in the articles, prepositions and the like between
 * them: "is there room", "is there a room". What may come and go is a closed list; what is in front and at the end is taken together
 * ("on which port", "which port … on").
 */
export function hasOtherSmallWords(a: SmallWords, b: SmallWords): boolean {
  if (a.reading.isGerman || b.reading.isGerman) return false
  if (differsInOneForm(a.reading, b.reading)) return true
  const [own, others] = [a.gaps(), b.gaps()]
  if (own.length !== others.length || own.some(({ next }, at) => next !== others[at]?.next)) return false
  return own.some((gap, at) => !isSameGap(gap, others[at] as Gap))
}

/**
 * Whether two English texts are the same word for word but for the form of one: "do you sell glass", "do you sell glasses". Where the way
 * of asking changes a form, it changes an auxiliary as well.
 */
function differsInOneForm({ words }: Reading, { words: others }: Reading): boolean {
  if (words.length !== others.length) return false
  const differing = words.flatMap((word, at) => (word.written === others[at]?.written ? [] : [[word, others[at] as Word] as const]))
  const [pair] = differing
  if (pair === undefined || differing.length > 1) return false
  const [one, other] = pair
  if (one.isStop || other.isStop) return AUXILIARIES.has(one.text) && AUXILIARIES.has(other.text)
  const isInfinitive = one.before === 'to' && pair.some(({ written }) => written.endsWith('ing'))
  return one.stem === other.stem && !isInfinitive && pair.every(({ text, written }) => text === written)
}

export interface SmallWords {
  readonly reading: Reading
  /** Of `gapsOf`: a text is compared with many. */
  readonly gaps: () => readonly Gap[]
}

/** The small words before a word of content. */
export interface Gap {
  readonly small: readonly string[]
  /** Stem of the word of content. */
  readonly next: string
  /** Behind what a thing has: "the price of", "the price for". */
  readonly isHad: boolean
  /** Before a number or a time. */
  readonly isTime: boolean
  readonly hasVerb: boolean
  /** Right behind "what" or "which". */
  readonly isAskedFor: boolean
}

/** In the order of the text. */
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
        isHad: HAD.test(before),
        isTime: isSettled(reading, at),
        hasVerb,
        isAskedFor: WHICH.test(word.before)
      })
      ;[small, hasVerb, before] = [[], false, word.written]
    }
  }
  const [first, ...rest] = gaps
  return first === undefined ? [] : [{ ...first, small: [...first.small, ...small].sort() }, ...rest]
}

/** None for a word that is compared elsewhere. */
function smallWord({ words }: Reading, at: number): string[] {
  const { text, before } = words[at] as { text: string; before: string }
  const next = words[at + 1]
  if (FILLERS.has(text) || (ELSEWHERE.has(text) && !(text === 'her' && next?.isStop === false))) return []
  // A place, unless it only says that something is: "is there a room".
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
