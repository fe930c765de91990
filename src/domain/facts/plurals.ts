/** Singular and plural of nouns: "a pet", "pets". */
import { baseForm } from '../text/english-irregular.js'
import { withoutAccents } from '../text/normal-form.js'
import type { GrammaticalNumber } from './german-number.js'
import { isComparedAsValue } from './numbers.js'
import type { Reading, Word } from './words.js'

const DOES = new Set(['do', 'does', 'did'])
/** Dative endings: "Den Kindern", "dem Namen". */
const DATIVE_ENDING = /(?<=e[lr]|name)n$/u
const GENITIVE_ENDING = /(?<=\p{L}{2})e?s$/u
const ARTICLE = /^(?:d(?:er|ie|as|en|em)|(?:[mdsk]?ein|ihr|unser|eur|dies|jed|welch)(?:e[nmr]?)?)$/

/**
 * Whether a content word is singular in one text and plural in the other. Not compared if only one text asks with "does", because the verb
 * in the other then looks like a plural: "what does it cover", "what it covers".
 */
export function hasOtherPlurals(a: Reading, b: Reading): boolean {
  if (a.isGerman !== b.isGerman) return false
  if (!a.isGerman && isAskedByDoes(a) !== isAskedByDoes(b)) return false
  const others = formsOf(b)
  const kinds = [kindOf(a, b), kindOf(b, a)].map((kind) => kind?.noun)
  return [...formsOf(a)].some(([stem, form]) => {
    const other = others.get(stem)
    if (kinds.includes(stem)) return false
    return form !== null && other != null && (a.isGerman ? !isSameNoun(form, other) : isPlural(form) !== isPlural(other))
  })
}

/** What two texts say of a whole kind, one with "a" and the other in the plural. */
export interface Kind {
  /** Stems of the noun, and of the first word of its group. */
  readonly noun: string
  readonly first: string
}

/** Auxiliaries that ask what is true in general: "does a panda sleep", "can a dog swim"; "is a nurse here" may ask of one. */
const GENERAL = new Map([
  ['does', 'do'],
  ['can', 'can'],
  ['should', 'should']
])
/** Longest noun group, in words. */
const GROUP_MAX = 3

/** The kind that `one` asks about with "a", and `several` in the plural: "how long does a panda sleep", "how long do pandas sleep". */
export function kindOf(one: Reading, several: Reading): Kind | null {
  if (one.isGerman || several.isGerman) return null
  const at = one.words.findIndex(({ text }, index) => GENERAL.has(text) && INDEFINITE.test(one.words[index + 1]?.text ?? ''))
  const otherAt = several.words.findIndex(({ text }) => text === GENERAL.get(one.words[at]?.text ?? ''))
  if (at < 0 || otherAt < 0) return null
  const first = one.words[at + 2]?.stem ?? ''
  for (let index = 0; index < GROUP_MAX; index++) {
    const [own, other] = [one.words[at + 2 + index], several.words[otherAt + 1 + index]]
    if (own === undefined || other === undefined || own.isStop || other.isStop || own.stem !== other.stem) return null
    if (own.written !== other.written) return isPlural(other) && !isPlural(own) ? { noun: own.stem, first } : null
  }
  return null
}

const INDEFINITE = /^an?$/

/** Whether something is singular in one text and plural in the other: "wo ist der Koffer", "wo sind die Koffer". */
export function isOfOneOnly(a: ReadonlyMap<string, GrammaticalNumber>, b: ReadonlyMap<string, GrammaticalNumber>): boolean {
  return [...a].some(([key, number]) => number === 'one' && b.get(key) === 'several')
}

/** Both become "who" when read, but differ: "which person signed", "which people signed". */
export function isAskedOfOnePerson(own: Reading, other: Reading): boolean {
  return ONE_PERSON.test(own.given) && PEOPLE.test(other.given)
}

const ONE_PERSON = /(?<!\p{L})(?:wh(?:ich|at)|welche|was für eine) person(?!\p{L})/iu
const PEOPLE = /(?<!\p{L})(?:wh(?:ich|at) (?:people|persons)|(?:welche|was für) (?:leute|menschen|personen))(?!\p{L})/iu

function isAskedByDoes({ words }: Reading): boolean {
  return words.some(({ text }) => DOES.has(text))
}

/** Content words by stem; null for a stem that occurs in several forms. */
function formsOf(reading: Reading): Map<string, Word | null> {
  const { words, isGerman } = reading
  const found = new Map<string, Word | null>()
  for (const [at, word] of words.entries()) {
    if (word.isStop || isComparedAsValue(reading, at) || (isGerman ? !word.isThing : isVerb(word))) continue
    const known = found.get(word.stem)
    found.set(word.stem, known === undefined || known?.written === word.written ? word : null)
  }
  return found
}

function isVerb({ time, written }: Word): boolean {
  return time !== null || written.endsWith('ing')
}

/** "Glasses", "children"; not "glass", "status" or "analysis". */
function isPlural({ text, written }: Word): boolean {
  return PLURAL.test(text) || baseForm(written) !== written
}

const PLURAL = /[^isu]s$/

/** The forms of synonyms tell nothing. */
function isSameNoun(a: Word, b: Word): boolean {
  const [own, other] = [a, b].map(({ written }) => written.replace(DATIVE_ENDING, '')) as [string, string]
  if (own === other || isGenitiveOf(a, b) || isGenitiveOf(b, a)) return true
  const [plain, otherPlain] = [withoutAccents(own), withoutAccents(other)]
  const isOneWord = plain.startsWith(otherPlain) || otherPlain.startsWith(plain)
  return !isOneWord && (a.text !== a.written || b.text !== b.written)
}

/** Whether `a` is the genitive of `b`: "Des Dekans", "Norwegens"; not "Tickets" where the other is "ein Ticket". */
function isGenitiveOf(a: Word, b: Word): boolean {
  const nominative = a.written.replace(GENITIVE_ENDING, '')
  if (nominative !== b.written && nominative !== b.written.replace(GENITIVE_ENDING, '')) return false
  return !ARTICLE.test(a.before) && (a.before.endsWith('es') || !ARTICLE.test(b.before))
}
