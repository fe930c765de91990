/** Who does what to whom: the same words in another order. */
import { isSameWord, type WordIndex } from './forms.js'
import { isComparedAsValue } from './numbers.js'
import type { Reading, Word } from './words.js'

/** Content words compared; longer texts do not have the same words by chance. */
const ORDER_WORDS_MAX = 64

/** Words that only list the things around them. */
const LISTING = new Set(['and', 'or', 'und', 'oder', 'vs', 'versus', 'as', 'sowie'])

/**
 * Whether two shared things have changed places around a word that relates them: another shared content word ("Ann pays Bob") or the same
 * function word ("PDF to Word"). In German, changed places alone are not enough. `index`: that of the words of `b`.
 */
export function isReordered(a: Reading, b: Reading, index: WordIndex): boolean {
  if (hasSwappedNeighbours(a, b)) return true
  const shared = sharedWords(a, b)
  const latest = latestBefore(shared, a.words.length)
  // Between German nouns, cases express the roles; see `german-roles.ts`.
  const hasCases = a.isGerman && b.isGerman && !a.isLowerCase && !b.isLowerCase
  const earliest = earliestAfter(shared, a.words.length)
  // A word that relates two things stands between them in both texts, whatever their order.
  return a.words.some((word, at) => {
    const [from, to] = [earliest[at] as number, latest[at] as number]
    if (to - from < 2 || !isRelating(word, hasCases)) return false
    return index.formsOf(word).some((places) => places.at.some((place) => place > from && place < to))
  })
}

/**
 * Whether English content words have another order ("what do cats eat", "what eats cats"). Ignored if the first words of one text are the
 * last of the other ("in git, how do I …", "green is my favourite colour"), if only one marks an owner ("the dean's office"), or if the
 * words are a list.
 */
export function isMovedAbout(a: Reading, b: Reading): boolean {
  if (a.isGerman || b.isGerman || WHOSE.test(a.text) !== WHOSE.test(b.text)) return false
  const [own, others] = [placedWords(a), placedWords(b)]
  const isSameFrom = (from: number): boolean => own.every((word, at) => isSameWord(word, others[(from + at) % others.length] as Word))
  const [first] = own
  if (first === undefined || own.length !== others.length || isSameFrom(0)) return false
  if (isListTurned(a, own, others) && isList(b)) return false
  const from = others.findIndex((word) => isSameWord(first, word))
  return from >= 0 && !(isSameFrom(from) && [a, b].some(({ text }) => TURNED.test(text)))
}

const WHOSE = /\p{L}'(?:s|\s)/u
/** Beginnings that may also stand at the end, and statements that mean the same either way. */
const TURNED =
  /^(?:in|on|at|for|from|by|before|after|if|when|while|until|yesterday|today|tomorrow|this|every|next|last)(?!\p{L})|^(?!(?:what|which|who|how|where|when|why) )(?:\p{L}+ ){1,4}(?:is|are)(?!\p{L})/iu

/** Whether two adjacent things with a listing word between them are all that has changed places: "compare Java and Python". */
function isListTurned({ words }: Reading, own: readonly Word[], others: readonly Word[]): boolean {
  const moved = [...own.keys()].filter((at) => !isSameWord(own[at] as Word, others[at] as Word))
  const [first = 0, second = 0] = moved
  if (moved.length !== 2 || second !== first + 1) return false
  return isList({ words: words.slice(words.indexOf(own[first] as Word), words.indexOf(own[second] as Word)) })
}

function isList({ words }: Pick<Reading, 'words'>): boolean {
  return words.some(({ text }) => LISTING.has(text))
}

function placedWords(reading: Reading): Word[] {
  return reading.words.filter(({ isStop }, at) => !isStop && !isComparedAsValue(reading, at))
}

/** Whether the same numbers stand in another order: "was ist 5 minus 3", "was ist 3 minus 5". */
export function hasOtherSequence(a: Reading, b: Reading): boolean {
  const [own, others] = [a, b].map(({ words }) => words.filter(({ isExact }) => isExact).map(({ text }) => text)) as [string[], string[]]
  const held = new Set(others)
  return own.length === others.length && own.some((number, at) => number !== others[at]) && own.every((number) => held.has(number))
}

/** Whether two adjacent things ("race horse"), or two kinds ("a square a rectangle"), have changed places; in German, two names. */
function hasSwappedNeighbours(a: Reading, b: Reading): boolean {
  const others = new Set(neighboursOf(b).map(([left, right]) => `${left} ${right}`))
  return neighboursOf(a).some(([left, right]) => others.has(`${right} ${left}`) && !others.has(`${left} ${right}`))
}

function neighboursOf({ words, names, isLowerCase }: Reading): (readonly [string, string])[] {
  return words.flatMap((word, at) => {
    if (word.isStop) return []
    const isKind = INDEFINITE.has(words[at + 1]?.text ?? '')
    let behind = at + 1
    while (BETWEEN.has(words[behind]?.text ?? '')) behind++
    const next = words[isKind ? at + 2 : word.isEnglish ? behind : at + 1]
    if (next === undefined || next.isStop) return []
    const isTold = word.isEnglish
      ? !word.isExact && !next.isExact
      : isKind
        ? INDEFINITE.has(words[at - 1]?.text ?? '')
        : isLowerCase || (names.has(word.written) && names.has(next.written))
    return isTold ? [[word.text, next.text] as const] : []
  })
}

/** Words between two things that relate them in no direction. */
const BETWEEN = new Set('the a an my your his her our their its that who which is are was were'.split(' '))
const INDEFINITE = new Set(['a', 'an', 'ein', 'eine', 'einen'])

/** A thing that both texts name, with its position in each. */
interface SharedWord {
  readonly at: number
  readonly otherAt: number
}

/** Sorted by position in `a`. */
function sharedWords(a: Reading, b: Reading): SharedWord[] {
  const isNamed = ({ written }: Word): boolean => a.names.has(written) || b.names.has(written)
  const others = singleWords(b, isNamed)
  return singleWords(a, isNamed).flatMap(({ word, at }) => {
    const other = others.find((candidate) => isSameWord(word, candidate.word))
    return other === undefined ? [] : [{ at, otherAt: other.at }]
  })
}

/** For each position in one text, the last position in the other of any shared thing that stands before it; -Infinity for none. */
function latestBefore(shared: readonly SharedWord[], length: number): number[] {
  const latest = new Array<number>(length).fill(-Infinity)
  shared.forEach(({ at, otherAt }) => {
    if (at + 1 < length) latest[at + 1] = otherAt
  })
  for (let at = 1; at < length; at++) latest[at] = Math.max(latest[at] as number, latest[at - 1] as number)
  return latest
}

/** For each position in one text, the first position in the other of any shared thing that stands after it; Infinity for none. */
function earliestAfter(shared: readonly SharedWord[], length: number): number[] {
  const earliest = new Array<number>(length).fill(Infinity)
  shared.forEach(({ at, otherAt }) => {
    if (at > 0) earliest[at - 1] = otherAt
  })
  for (let at = length - 2; at >= 0; at--) earliest[at] = Math.min(earliest[at] as number, earliest[at + 1] as number)
  return earliest
}

/**
 * Words that occur once; repeated ones have no single position. Whether the first word of a German text is a noun is seen from the other
 * text.
 */
function singleWords(reading: Reading, isNamed: (word: Word) => boolean): { readonly word: Word; readonly at: number }[] {
  const words = reading.words
    .map((word, at) => ({ word, at }))
    .filter(({ word }) => !word.isStop && (word.form !== 'verb' || isNamed(word)))
    .slice(0, ORDER_WORDS_MAX)
  const counts = new Map<string, number>()
  for (const { word } of words) counts.set(word.text, (counts.get(word.text) ?? 0) + 1)
  return words.filter(({ word }) => counts.get(word.text) === 1)
}

/** Whether a word relates its neighbours. Articles, pronouns and auxiliaries stand between any two words, and lists have no order. */
function isRelating(word: Word, hasCases: boolean): boolean {
  return !LISTING.has(word.text) && (word.isStop ? RELATING.has(word.text) : !hasCases)
}

const RELATING = new Set(
  (
    'to from into onto than over under before after above below by for of with without against not off in on about through ' +
    'then afterwards later have has had let lets zu von nach aus in als über unter vor durch für gegen mit ohne nicht auf an bei um hinter neben zwischen dann danach wie'
  ).split(' ')
)
