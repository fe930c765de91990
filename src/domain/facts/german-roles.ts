/** Who does what to whom, and where or whereto, in German: from articles, cases and prepositions, because word order is free. */
import { GERMAN_POSSESSIVE } from './articles.js'
import { FILLERS } from './fillers.js'
import type { Reading, Word } from './words.js'

/** Case and gender, or plural, that an article may express: `n` nominative, `a` accusative, `d` dative, `g` genitive. */
type Endings = readonly string[]

const ARTICLES = new Map<string, Endings>()
const declare = (forms: string, endings: string): void => {
  for (const form of forms.split(' ')) ARTICLES.set(form, endings.split(' '))
}
declare('der dieser jeder welcher', 'nm df gf gp')
declare('die diese jede welche', 'nf af np ap')
declare('das dieses jedes welches', 'nn an')
declare('den diesen jeden welchen', 'am dp')
declare('dem diesem jedem welchem', 'dm dn')
declare('des', 'gm gn')
for (const stem of ['ein', 'kein', 'mein', 'dein', 'sein', 'ihr', 'unser', 'euer']) {
  const inflected = stem === 'euer' ? 'eur' : stem
  declare(stem, 'nm nn an')
  declare(`${inflected}e`, 'nf af np ap')
  declare(`${inflected}en`, 'am dp')
  declare(`${inflected}em`, 'dm dn')
  declare(`${inflected}er`, 'df gf gp')
  declare(`${inflected}es`, 'gm gn')
}

/**
 * Endings of articles that no feminine, neuter or plural noun has as subject or object, so that they identify a noun's role in any
 * position.
 */
const TELLING_ENDINGS = /(?:en|em|es)$/

const PREPOSITIONS = new Set(
  (
    'in an auf hinter neben über unter vor zwischen von nach aus zu bei mit für gegen ohne um durch seit bis ab als wie statt wegen ' +
    'gegenüber trotz'
  ).split(' ')
)
/** Prepositions that take the dative for where, and the accusative for whereto. */
const PLACES = new Set('in an auf hinter neben über unter vor zwischen'.split(' '))
const COPULAS = new Set('ist sind war waren bin bist heißt'.split(' '))

interface Nominal {
  readonly stem: string
  readonly preposition: string | null
  readonly article: string | null
}

/** Whether the same things have other roles. Things named more than once in a text are ignored. */
export function hasOtherRoles(a: Reading, b: Reading): boolean {
  if (!a.isGerman || !b.isGerman) return false
  if (isMovedInLowerCase(a, b)) return true
  if (hasOtherOwner(a, b) && hasOtherOwner(b, a)) return true
  const others = new Map(nominalsOf(b, a).map((nominal, at) => [nominal.stem, { ...nominal, at }]))
  const shared = nominalsOf(a, b).flatMap((own) => {
    const other = others.get(own.stem)
    return other === undefined ? [] : [{ own, other }]
  })
  if (shared.some(({ own, other }) => hasOtherPlace(own, other) || isKnownOtherwise(own, other))) return true
  // "Hat die Bank mein Konto geschlossen", "hat meine Bank das Konto geschlossen".
  const isOwnedIn = (one: Nominal, another: Nominal): boolean => isOwned(one) && !isOwned(another)
  if (shared.some(({ own, other }) => isOwnedIn(own, other)) && shared.some(({ own, other }) => isOwnedIn(other, own))) return true
  const lost = shared.some(({ own, other }) => own.preposition !== null && other.preposition === null)
  const won = shared.some(({ own, other }) => own.preposition === null && other.preposition !== null)
  if (lost && won) return true
  const free = shared.filter(({ own, other }) => own.preposition === null && other.preposition === null)
  if (free.length < 2) return false
  if (free.some(({ own, other }) => !canAgree(own.article, other.article))) return true
  return isSymmetric(a) && isSymmetric(b) ? false : hasChangedPlaces(free)
}

/**
 * Whether two things have changed places in texts without capitals ("ist anna älter als ben"), where nouns cannot be told from verbs. Only
 * words of one form count, because a verb that moves takes another one, unless it goes from the front to the end. What has an article or a
 * preposition in both texts is compared by these.
 */
function isMovedInLowerCase(a: Reading, b: Reading): boolean {
  if (!a.isLowerCase || !b.isLowerCase) return false
  const [own, others] = [onceWritten(a), onceWritten(b)]
  const isTold = ({ word, other }: SharedWord): boolean =>
    (PREPOSITIONS.has(word.before) && word.before === other.before) ||
    (ARTICLES.has(word.before) && ARTICLES.has(other.before) && canAgree(word.before, other.before))
  const shared = [...own].flatMap(([written, { word, at, isFirst, isLast }]) => {
    const other = others.get(written)
    if (other === undefined || (VERB_ENDING.test(written) && ((isFirst && other.isLast) || (isLast && other.isFirst)))) return []
    return [{ word, other: other.word, at, otherAt: other.at }]
  })
  return shared.some((one, index) =>
    shared.slice(index + 1, index + 1 + MOVED_WITHIN).some((later) => {
      if (later.otherAt > one.otherAt) return false
      if (one.word.before !== later.word.before && (isTold(one) || isTold(later))) return false
      return !LISTING.test(a.words[one.at + 1]?.text ?? '')
    })
  )
}

const VERB_ENDING = /[et]$/
const LISTING = /^(?:und|oder|sowie)$/
/** Words behind one that are compared with it. */
const MOVED_WITHIN = 16

interface SharedWord {
  readonly word: Word
  readonly other: Word
}

interface PlacedWord {
  readonly word: Word
  readonly at: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Content words that occur once, as written. */
function onceWritten({ words }: Reading): Map<string, PlacedWord> {
  const content = words.flatMap((word, at) => (word.isStop ? [] : [{ word, at }]))
  const counts = new Map<string, number>()
  for (const { word } of content) counts.set(word.written, (counts.get(word.written) ?? 0) + 1)
  return new Map(
    content.flatMap(({ word, at }, index) =>
      counts.get(word.written) === 1
        ? [[word.written, { word, at, isFirst: index === 0, isLast: index === content.length - 1 }] as const]
        : []
    )
  )
}

/** Words behind an article or a preposition. */
function governedIn({ words }: Reading): string[] {
  return words.flatMap(({ written, before }) => (ARTICLES.has(before) || PREPOSITIONS.has(before) ? [written] : []))
}

/** Whether an owner owns something in only one of the texts: "Toms Chef". */
function hasOtherOwner(a: Reading, b: Reading): boolean {
  const others = new Set(b.words.map(({ written }) => written))
  return a.words.some(({ written, stem }) => a.names.has(written) && written === `${stem}s` && others.has(stem))
}

function hasOtherPlace(own: Nominal, other: Nominal): boolean {
  if (own.preposition === null || other.preposition === null) return false
  if (own.preposition !== other.preposition) return !(ofAlike.has(own.preposition) && ofAlike.has(other.preposition))
  return PLACES.has(own.preposition) && !canAgree(own.article, other.article, true)
}

/** Whether the articles differ in kind: "Ein Leiter", "der Leiter"; "trinkt er Milch", "trinkt er die Milch". */
function isKnownOtherwise({ article: own }: Nominal, { article: other }: Nominal): boolean {
  const [kind, otherKind] = [own, other].map((article) => KINDS.find((kinds) => kinds.test(article ?? '')))
  return kind !== undefined && otherKind !== undefined && kind !== otherKind
}

/** No article, indefinite, definite. Possessives are compared with persons. */
const KINDS = [/^$/, /^ein(?:e[nmrs]?)?$/, /^d(?:er|ie|as|en|em|es)$/]

/** Interchangeable: "Der Preis von", "der Preis für". */
const ofAlike = new Set(['von', 'für'])

function isOwned({ article }: Nominal): boolean {
  return GERMAN_POSSESSIVE.test(article ?? '')
}

function canAgree(own: string | null, other: string | null, byCaseOnly = false): boolean {
  if (own === null || other === null) return true
  const plain = (ending: string): string => (byCaseOnly ? ending.slice(0, 1) : ending)
  const endings = new Set((ARTICLES.get(other) ?? []).map(plain))
  return (ARTICLES.get(own) ?? []).some((ending) => endings.has(plain(ending)))
}

/** Whether two things have changed places while neither article identifies its role. */
function hasChangedPlaces(free: readonly { readonly own: Nominal; readonly other: Nominal & { readonly at: number } }[]): boolean {
  const isMarked = ({ own, other }: (typeof free)[number]): boolean =>
    own.article !== null && own.article === other.article && TELLING_ENDINGS.test(own.article)
  return free.some((one, at) => free.slice(at + 1).some((later) => one.other.at > later.other.at && !isMarked(one) && !isMarked(later)))
}

/** Whether the only verb is a copula, so that order does not matter: "Grün ist meine Farbe", "meine Farbe ist Grün". */
function isSymmetric(reading: Reading): boolean {
  const verbs = reading.words.filter((word) => (word.isStop ? COPULAS.has(word.text) : word.form !== null && !reading.names.has(word.text)))
  return verbs.length > 0 && verbs.every((word) => COPULAS.has(word.text))
}

/**
 * Words that either text capitalises within a sentence, with their article and preposition; without capitals, words behind one of these.
 * Those named more than once are left out.
 */
function nominalsOf(reading: Reading, other: Reading): Nominal[] {
  const found = new Map<string, Nominal | null>()
  const governed = new Set(reading.isLowerCase && other.isLowerCase ? [...governedIn(reading), ...governedIn(other)] : [])
  reading.words.forEach((word, at) => {
    const isNamed = reading.names.has(word.written) || other.names.has(word.written)
    if (word.isStop || word.isExact || !(isNamed || governed.has(word.written))) return
    let before = at - 1
    // Skips adjectives between an article and its noun.
    while (at - before <= 2 && isAdjective(reading, before)) before--
    const article = ARTICLES.has(reading.words[before]?.text ?? '') ? (reading.words[before]?.text ?? null) : null
    const governing = reading.words[article === null ? before : before - 1]?.text ?? ''
    const nominal = { stem: word.stem, article, preposition: PREPOSITIONS.has(governing) ? governing : null }
    found.set(word.stem, found.has(word.stem) ? null : nominal)
  })
  return [...found.values()].filter((nominal) => nominal !== null)
}

function isAdjective(reading: Reading, at: number): boolean {
  const word = reading.words[at]
  if (word !== undefined && FILLERS.has(word.text)) return true
  if (word === undefined || word.isStop || word.isExact || reading.names.has(word.written)) return false
  return /e[nmrs]?$/.test(word.written) && !ARTICLES.has(word.text)
}
