/** Government: prepositions and the words that they connect, and verbs whose subject is also their object. */
import { isComparedAsValue, isUnit } from './numbers.js'
import type { Reading, Word } from './words.js'

/** Prepositions that a rephrasing may add or drop, but not replace by each other. */
const ENGLISH_PREPOSITIONS = new Set('of for in on at to as'.split(' '))
const GERMAN_PREPOSITIONS = new Set('von für an auf bei in zu'.split(' '))
const EXCHANGEABLE = new Set(['of for', 'von für'])
/** Nouns that take either of two prepositions ("price of", "price for"). */
export const NOUNS_OF_OR_FOR =
  /^(?:prices?|costs?|fees?|charges?|reasons?|causes?|words?|symbols?|terms?|codes?|recipes?|deadlines?|dates?|limits?|passwords?|address|numbers?|policy|preis|preise|kosten|gebühr|grund|gründe|ursache|hauptgrund|hauptursache|wort|symbol|code|rezept|frist|passwort|adresse|nummer)$/u
const OF = new Set(['of', 'von'])
const FOR = new Set(['for', 'für'])
const JOINING = new Set(['and', 'or', 'und', 'oder'])
const STRANDED = new Set([...ENGLISH_PREPOSITIONS, 'than', 'by', 'with', 'from', 'about', 'into', 'over', 'up', 'out'])
const DATIVE = new Set(['to', 'for'])
const PERSONAL = new Set('me you him her us them it mir mich dir dich ihm ihn ihr ihnen sie uns euch'.split(' '))
const ARTICLE = /^(?:the|an?|my|your|his|her|our|their|d(?:er|ie|as|en|em|es)|(?:[mdsk]?ein|ihr|unser|eur|dies|jed)(?:e[nmrs]?)?|euer)$/

/** Whether a preposition was replaced by another: "in the car", "on the car". */
export function hasOtherPrepositions(own: Reading, other: Reading): boolean {
  const [mine, theirs] = [prepositionsOf(own), prepositionsOf(other)]
  const lost = [...mine].filter(([word]) => !theirs.has(word))
  const won = [...theirs].filter(([word]) => !mine.has(word))
  return lost.some(([left, at]) =>
    won.some(([right, otherAt]) => !canExchange({ left, right, isBound: at.isBound || otherAt.isBound, isHad: at.isHad || otherAt.isHad }))
  )
}

/** After these words, "to" begins an infinitive. */
const ASKING = /^(?:how|what|when|where|whether|which|whom?)$/

interface PrepositionUse {
  /** Before a person or a unit, where each preposition has its own meaning: "from me", "in dollars". */
  readonly isBound: boolean
  /** After a noun of HAD. */
  readonly isHad: boolean
}

function prepositionsOf({ words, isGerman }: Reading): Map<string, PrepositionUse> {
  const prepositions = isGerman ? GERMAN_PREPOSITIONS : ENGLISH_PREPOSITIONS
  const uses = new Map<string, PrepositionUse>()
  words.forEach(({ text }, at) => {
    if (!prepositions.has(text) || (text === 'to' && ASKING.test(words[at - 1]?.text ?? ''))) return
    const [before, next] = [words[at - 1]?.written ?? '', words[at + 1]?.text ?? '']
    uses.set(text, { isBound: PERSONAL.has(next) || isUnit(next), isHad: NOUNS_OF_OR_FOR.test(before) })
  })
  return uses
}

function canExchange({ left, right, isBound, isHad }: PrepositionUse & { readonly left: string; readonly right: string }): boolean {
  return !isBound && isHad && [`${left} ${right}`, `${right} ${left}`].some((pair) => EXCHANGEABLE.has(pair))
}

/**
 * Whether only one text has a preposition or conjunction between two words, or a preposition at its end: "cook for the goose", "cook the
 * goose".
 */
export function isGovernedOtherwise(own: Reading, other: Reading): boolean {
  const governed = governedOf(other)
  const isOther = ([pair, small]: readonly [string, string]): boolean => {
    const otherSmall = governed.get(pair)
    return small !== '' && (otherSmall === '' || (JOINING.has(small) && otherSmall !== undefined && otherSmall !== small))
  }
  if ([...governedOf(own)].some(isOther) || isBoundAlone(own, other) || isRelatedInGerman(own, other)) return true
  const last = own.words.at(-1)?.text ?? ''
  // At the front it means the same: "on which port".
  return !own.isGerman && STRANDED.has(last) && other.words.at(-1)?.text !== last && other.words[0]?.text !== last
}

/**
 * Whether only one text has the preposition: "Er schießt auf den Bären", "er schießt den Bären". "von" and "für" may be replaced by a case,
 * unless they precede a question word, and "zu" also precedes infinitives.
 */
function isRelatedInGerman(own: Reading, other: Reading): boolean {
  if (!own.isGerman || !other.isGerman) return false
  const others = prepositionsOf(other)
  const isAsked = (at: number): boolean => ASKED_IN_CASES.test(own.words[at + 1]?.text ?? '')
  if ([...prepositionsOf(own).keys()].some((word) => !UNTOLD.has(word) && !others.has(word))) return true
  if (own.words.some(({ text }, at) => UNTOLD.has(text) && !others.has(text) && isAsked(at))) return true
  return own.words.some(
    ({ text }, at) => !others.has(text) && ((text === 'von' && isGivenTo(own, at, other)) || (text === 'für' && isDoneTo(own, at, other)))
  )
}

/** Whether "von" with an owner became a dative, which means "to": "von meiner Frau", "meiner Frau". */
function isGivenTo(own: Reading, at: number, other: Reading): boolean {
  const { before } = phraseOf(own, at, other)
  const head = before.findLastIndex(({ text, isThing, isStop, form }) => isThing || (isStop ? !ARTICLE.test(text) : form !== null))
  return ARTICLE.test(before[head + 1]?.text ?? '') && before[head]?.isThing !== true
}

/** Whether "für" was dropped before an object: "Bezahle ich für den Maler", "bezahle ich den Maler". The case stays the same. */
function isDoneTo(own: Reading, at: number, other: Reading): boolean {
  const { article, before } = phraseOf(own, at, other)
  return ARTICLE.test(article) && before.at(-1)?.written === article
}

/** Article after a preposition, and the words before the same noun in the other text. */
function phraseOf({ words }: Reading, at: number, other: Reading): { readonly article: string; readonly before: readonly Word[] } {
  const named = words.slice(at + 1).find(({ isThing }) => isThing)
  const place = other.words.findIndex(({ isThing, written }) => isThing && written === named?.written)
  return { article: words[at + 1]?.written ?? '', before: other.words.slice(0, Math.max(0, place)) }
}

const UNTOLD = new Set(['von', 'für', 'zu'])
/** Before these words no case can replace a preposition: "Von wem leiht Anna das Auto" is not "wem leiht Anna das Auto". */
const ASKED_IN_CASES = /^(?:we[mn]|wo|welche[mnrs]?)$/

/**
 * Whether only one text has a preposition before a person: "Believe in him", "believe him". English allows both "give it to me" and "give
 * me it".
 */
function isBoundAlone(own: Reading, other: Reading): boolean {
  const others = prepositionsOf(other)
  return [...prepositionsOf(own)].some(([word, { isBound }]) => isBound && !DATIVE.has(word) && others.size === 0)
}

/**
 * Adjacent content words, ignoring articles, with the preposition or conjunction between them; empty for none or for "of", which a case may
 * replace, and for "for" behind a noun that takes either.
 */
function governedOf(reading: Reading): Map<string, string> {
  const { words, isGerman } = reading
  const prepositions = isGerman ? GERMAN_PREPOSITIONS : ENGLISH_PREPOSITIONS
  const found = new Map<string, string>()
  words.forEach((word, at) => {
    if (word.isStop || word.isExact) return
    let next = at + 1
    const small = words[next]?.text ?? ''
    const isOf = OF.has(small) || (FOR.has(small) && NOUNS_OF_OR_FOR.test(word.written))
    const isBetween = (prepositions.has(small) && !isOf) || JOINING.has(small)
    if (isBetween || isOf) next++
    if (ARTICLE.test(words[next]?.text ?? '')) next++
    const governed = words[next]
    if (governed === undefined || governed.isStop || isComparedAsValue(reading, next)) return
    const isInfinitive = small === 'zu' && !governed.isThing
    found.set(`${word.stem} ${governed.stem}`, isBetween && !isInfinitive ? small : '')
  })
  return found
}

const OWN = new Map([
  ['mich', 'ich'],
  ['dich', 'du'],
  ['uns', 'wir'],
  ['euch', 'ihr']
])

const REFLEXIVE = /^(?:sich|(?:my|your|him|her|it)self|(?:our|your|them)selves)$/

/** Whether something is done to oneself: "ich ziehe mich um", not "ich ziehe um"; "she hurt herself", not "she hurt her". */
export function isReflexive({ words }: Reading): boolean {
  const texts = new Set(words.map(({ text }) => text))
  return (
    words.some(({ written }) => REFLEXIVE.test(written)) || [...OWN].some(([object, subject]) => texts.has(object) && texts.has(subject))
  )
}

const HAVE = /^(?:have|has|had)$/
const ASKING_BEFORE = /^(?:when|where|why|how|what|which)?$/
/** Most words between "had" and the participle of what others did: "had the old roof repaired". */
const DONE_WITHIN = 5

/** Whether others do it in one text: "She had the roof repaired", "she had repaired the roof". */
export function isDoneByOthers(own: Reading, other: Reading): boolean {
  if (own.isGerman || other.isGerman) return false
  const done = doneStems(other, true)
  return [...doneStems(own, false)].some((stem) => done.has(stem))
}

/** Stems of past forms directly after "had" (`isOwn`), or after "had" and an object. */
function doneStems({ words }: Reading, isOwn: boolean): Set<string> {
  const stems = new Set<string>()
  for (const [at, { text, before }] of words.entries()) {
    if (!HAVE.test(text) || ASKING_BEFORE.test(before)) continue
    const next = words[at + 1]
    const behind = isOwn ? words.slice(at + 1, at + 2) : ARTICLE.test(next?.text ?? '') ? words.slice(at + 3, at + 1 + DONE_WITHIN) : []
    for (const { time, stem } of behind) if (time === 'past') stems.add(stem)
  }
  return stems
}
