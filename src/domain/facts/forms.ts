/** Decides whether two words are forms of the same word. */
import { addTo } from '../collections/by-key.js'
import type { Word } from './words.js'

/**
 * Endings that change the form but not the meaning of a word: plural, person, infinitive, present participle, case. Comparison and
 * derivation are excluded: "billiger" is not "billig", "important" not "import". Past forms are compared by `tensesOf`.
 */
const ENDINGS = new Set(['', 's', 'es', 'e', 'y', 'ies', 'ing', 'n', 'en', 'em', 'ion', 'ation'])
/** Endings of words known to be a past. */
const PAST_ENDINGS = new Set(['ed', 'd', 'ied'])
/** Doubled consonants, as in "running" from "run". */
const DOUBLED = /^([bdfglmnprt])(?:ing|ed)$/

/** Whether two words are equal, or share a stem with inflectional endings. Numbers, identifiers and English names match only if equal. */
export function isSameWord(a: Word, b: Word): boolean {
  if (a.text === b.text) return true
  if (a.isExact || b.isExact || a.stem !== b.stem) return false
  if (a.form === 'irregular' || b.form === 'irregular' || (a.form === 'verb' && b.form === 'verb')) return true
  if (a.isName && b.isName) return false
  let shared = 0
  while (shared < a.text.length && a.text[shared] === b.text[shared]) shared++
  if (a.isEnglish && isLongerByE(a.text, b.text)) return false
  return isEnding(a, shared) && isEnding(b, shared) && !isAnotherThing(a, b, shared)
}

/** No English word has a form that is longer by an E: "moral" and "morale", "breath" and "breathe" differ. */
function isLongerByE(a: string, b: string): boolean {
  return a === `${b}e` || b === `${a}e`
}

/** Endings that derive another thing from a verb: "the train", "the training". */
const DERIVING = new Set(['ing', 'ion', 'ation'])
/** Contexts in which a noun in -e is a plural or an old dative: "2 Jahre", "zu Hause". */
const BEFORE_E = /^(?:\d+|dem|zu)$/
const ONE = /^(?:an?|ein(?:e[nmrs]?)?)$/
const ARTICLE = /^(?:d(?:er|ie|as|en|em|es)|\p{L}*ein(?:e[nmrs]?)?|the|an?)$/u

/**
 * Whether two nouns name different things although they look like forms of one. After the same preceding word, a noun has the same form
 * ("der Ball", "der Ballen"). A form in -e is the plural if the other noun has an indefinite article ("ein Hund", "Hunde"), else another
 * noun ("Kohl", "Kohle").
 */
function isAnotherThing(a: Word, b: Word, shared: number): boolean {
  if (!a.isThing || !b.isThing) return false
  const [own, other] = [a.text.slice(shared), b.text.slice(shared)]
  if (own.endsWith('s') && other.endsWith('s')) return false
  if (a.before === b.before || DERIVING.has(own) !== DERIVING.has(other)) return true
  if (own !== 'e' && other !== 'e') return false
  const [longer, shorter] = own === 'e' ? [a, b] : [b, a]
  if (shorter.text.length !== shared || BEFORE_E.test(longer.before)) return false
  return !ONE.test(shorter.before) || ARTICLE.test(longer.before)
}

/** Index of words by text and stem, so that comparing two texts does not try all pairs of words. */
export interface WordIndex {
  readonly texts: ReadonlySet<string>
  /** Distinct words that equal the word or are forms of it, each with its positions, ascending. */
  formsOf(word: Word): readonly WordPlaces[]
}

interface WordPlaces {
  readonly word: Word
  readonly at: readonly number[]
}

/** Words per stem that are distinguished; no language has more forms of one word in a text. Further ones match only themselves. */
const FORMS_MAX = 16

export function indexWords(words: readonly Word[]): WordIndex {
  const byText = new Map<string, { word: Word; at: number[] }[]>()
  const byStem = new Map<string, WordPlaces[]>()
  words.forEach((word, at) => {
    const alike = byText.get(word.text)
    const known = alike?.find((other) => other.word.stem === word.stem && other.word.isExact === word.isExact)
    if (known !== undefined) return void known.at.push(at)
    const places = { word, at: [at] }
    addTo(byText, word.text, places)
    const family = byStem.get(word.stem)
    if (family === undefined) byStem.set(word.stem, [places])
    else if (family.length < FORMS_MAX) family.push(places)
  })
  return {
    texts: new Set(byText.keys()),
    formsOf(word) {
      const same = byText.get(word.text) ?? []
      const others = (byStem.get(word.stem) ?? []).filter((places) => places.word.text !== word.text && isSameWord(word, places.word))
      return [...same, ...others]
    }
  }
}

/** Content words of `from` without a counterpart in `among`. "Log in" matches "login" and vice versa. */
export function unmatched(from: readonly Word[], among: readonly Word[], index: WordIndex): Word[] {
  const joints = new Set<string>()
  among.forEach((word, i) => joints.add(jointOf(word, among[i + 1])))
  return from.filter((word, i) => {
    if (word.isStop || index.formsOf(word).length > 0 || joints.has(word.text)) return false
    const before = from[i - 1]
    const after = from[i + 1]
    return !(before && index.texts.has(jointOf(before, word))) && !(after && index.texts.has(jointOf(word, after)))
  })
}

/** Qualities that make another thing when joined with a noun ("a green house", "a greenhouse"). */
const QUALITY =
  /^(?:black|white|red|green|blue|dark|light|heavy|hot|cold|dry|wet|high|low|hard|soft|big|small|short|long|fast|free|sweet|every|some|any|no)$/

/** Both words joined; empty if joining makes another word. */
function jointOf(word: Word, next: Word | undefined): string {
  return QUALITY.test(word.text) ? '' : word.text + (next?.text ?? '')
}

function isEnding({ text, form }: Word, from: number): boolean {
  const rest = text.slice(from)
  const doubled = DOUBLED.exec(rest)
  if (form === 'regular' && PAST_ENDINGS.has(rest)) return true
  return ENDINGS.has(rest) || (doubled !== null && text[from - 1] === doubled[1] && (form === 'regular' || rest.endsWith('ing')))
}
