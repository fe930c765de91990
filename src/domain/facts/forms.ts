/** Whether two words are forms of one word. */
import type { Word } from './words.js'

/**
 * Endings that change a word's form and not its meaning: plural, person, infinitive, participle of the present, case.
 * Comparison and derivation are left out: "billiger" is not "billig", "important" not "import". The past is told by `tensesOf`.
 */
const ENDINGS = new Set(['', 's', 'es', 'e', 'y', 'ies', 'ing', 'n', 'en', 'em', 'ion', 'ation'])
/** Of a word that is told to be a past. */
const PAST_ENDINGS = new Set(['ed', 'd', 'ied'])
/** "running" of "run". */
const DOUBLED = /^([bdfglmnprt])(?:ing|ed)$/

/** Same word, or same stem with endings that only inflect. Numbers, identifiers and English names only when equal. */
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

/** No English word has a form with an E more: "moral" and "morale", "breath" and "breathe". */
function isLongerByE(a: string, b: string): boolean {
  return a === `${b}e` || b === `${a}e`
}

/** What makes another thing of a verb: "the train", "the training". */
const DERIVING = new Set(['ing', 'ion', 'ation'])
/** Behind these a noun has the ending of its plural, or an old one of its dative: "2 Jahre", "zu Hause". */
const BEFORE_E = /^(?:\d+|dem|zu)$/
const ONE = /^(?:an?|ein(?:e[nmrs]?)?)$/
const ARTICLE = /^(?:d(?:er|ie|as|en|em|es)|\p{L}*ein(?:e[nmrs]?)?|the|an?)$/u

/**
 * Two things whose names only look like forms of one: behind the same word a thing has the same form ("der Ball", "der Ballen"), and one
 * in E is a plural where the other is any one ("ein Hund", "Hunde"), else of another name ("Kohl", "Kohle").
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

/** Where words stand, looked up by word: for comparing each word of one text with all of another without trying all pairs. */
export interface WordIndex {
  readonly texts: ReadonlySet<string>
  /** The distinct words that are this word or a form of it, each with its places, ascending. */
  formsOf(word: Word): readonly WordPlaces[]
}

export interface WordPlaces {
  readonly word: Word
  readonly at: readonly number[]
}

/**
 * Words of one stem that are told apart: no language has more forms of one word in one text. Of more the later ones match only themselves.
 */
const FORMS_MAX = 16

export function indexWords(words: readonly Word[]): WordIndex {
  const byText = new Map<string, { word: Word; at: number[] }[]>()
  const byStem = new Map<string, WordPlaces[]>()
  words.forEach((word, at) => {
    const alike = byText.get(word.text)
    const known = alike?.find((other) => other.word.stem === word.stem && other.word.isExact === word.isExact)
    if (known !== undefined) return void known.at.push(at)
    const places = { word, at: [at] }
    if (alike === undefined) byText.set(word.text, [places])
    else alike.push(places)
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

/** Content words of `from` without a counterpart in `among`, counting "log in" as "login" and the other way round. */
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

/** What a thing is like: with it in one word it is another thing ("a green house", "a greenhouse"). */
const QUALITY =
  /^(?:black|white|red|green|blue|dark|light|heavy|hot|cold|dry|wet|high|low|hard|soft|big|small|short|long|fast|free|sweet|every|some|any|no)$/

/** Both in one word; empty where that is another one. */
function jointOf(word: Word, next: Word | undefined): string {
  return QUALITY.test(word.text) ? '' : word.text + (next?.text ?? '')
}

function isEnding({ text, form }: Word, from: number): boolean {
  const rest = text.slice(from)
  const doubled = DOUBLED.exec(rest)
  if (form === 'regular' && PAST_ENDINGS.has(rest)) return true
  return ENDINGS.has(rest) || (doubled !== null && text[from - 1] === doubled[1] && (form === 'regular' || rest.endsWith('ing')))
}
