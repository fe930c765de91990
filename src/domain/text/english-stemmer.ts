/**
 * English stemming: the Porter2 algorithm, written from its published description
 * (M. F. Porter, "The English (Porter2) stemming algorithm", snowballstem.org/algorithms/english/stemmer.html).
 */
const VOWELS = 'aeiouy'
/** By character code, because it is looked up for every letter of every word. */
const IS_VOWEL = Uint8Array.from({ length: 128 }, (_, code) => Number(VOWELS.includes(String.fromCharCode(code))))
const [LETTER_A, LETTER_D, LETTER_S, LETTER_Y, LETTER_Z, APOSTROPHE] = [0x61, 0x64, 0x73, 0x79, 0x7a, 0x27]
/** Bit that is set in the codes of lower-case letters. */
const LOWER = 0x20
/** Prefixes after which R1 begins, by the code of their first letter. */
const PREFIXES = new Map(['gener', 'commun', 'arsen'].map((prefix) => [prefix.charCodeAt(0), prefix]))
const DOUBLES = new Set(['bb', 'dd', 'ff', 'gg', 'mm', 'nn', 'pp', 'rr', 'tt'])
/** Words that end in a double letter of their own: "added" is a form of "add". */
const UNDOUBLED = new Set(['add', 'ebb', 'egg', 'err', 'odd', 'off'])
const LI_ENDINGS = 'cdeghkmnrt'

/** Stems of words that the algorithm lists individually. */
const EXCEPTIONS = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ['sky', 'sky'],
  ['news', 'news'],
  ['howe', 'howe'],
  ['atlas', 'atlas'],
  ['cosmos', 'cosmos'],
  ['bias', 'bias'],
  ['andes', 'andes']
])
const KEPT_AFTER_PLURAL = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed'])

/** A suffix and its replacement. */
type Suffix = readonly [string, string]

/** Suffixes of steps 1b, 2 and 3, longest first, with their replacements if the suffix lies in R1. */
const STEP_1B = byLastLetter([
  ['eedly', 'ee'],
  ['ingly', ''],
  ['edly', ''],
  ['eed', 'ee'],
  ['ing', ''],
  ['ed', '']
])
const STEP_2 = byLastLetter([
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', '']
])
const STEP_3 = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', '']
])
const STEP_4 = byLastLetter(
  ['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize', 'ion', 'al', 'er', 'ic'].map(
    (suffix) => [suffix, '']
  )
)

/** Groups suffixes by the code of their last letter, keeping their order, so that a word is compared only with those that end like it. */
function byLastLetter(suffixes: readonly Suffix[]): readonly (readonly Suffix[] | undefined)[] {
  const byLetter = new Array<Suffix[] | undefined>(128).fill(undefined)
  for (const suffix of suffixes) {
    const letter = lastUnit(suffix[0])
    byLetter[letter] = [...(byLetter[letter] ?? []), suffix]
  }
  return byLetter
}

function lastUnit(word: string): number {
  return word.charCodeAt(word.length - 1)
}

/** The first suffix with which the word ends; NO_SUFFIX if none. */
function suffixOf(word: string, suffixes: readonly (readonly Suffix[] | undefined)[]): Suffix {
  for (const suffix of suffixes[lastUnit(word)] ?? NO_SUFFIXES) if (word.endsWith(suffix[0])) return suffix
  return NO_SUFFIX
}

const NO_SUFFIXES: readonly Suffix[] = []
const NO_SUFFIX: Suffix = ['', '']

/** Stem of one lower-case English word; words in other scripts are returned unchanged. */
export function stemEnglish(word: string): string {
  if (word.length <= 2 || !isLetters(word)) return word
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  const marked = markConsonantY(word.startsWith("'") ? word.slice(1) : word)
  const [r1, r2] = regions(marked)
  let stem = stepPlural(marked.includes("'") ? marked.replace(/'s'$|'s$|'$/, '') : marked)
  if (KEPT_AFTER_PLURAL.has(stem)) return stem
  stem = stepPast(stem, r1)
  if (stem.length > 2 && (lastUnit(stem) | LOWER) === LETTER_Y && !isVowel(stem, stem.length - 2)) stem = `${stem.slice(0, -1)}i`
  stem = stepTwo(stem, r1)
  stem = stepThree(stem, r1, r2)
  stem = stepFour(stem, r2)
  stem = stepFive(stem, r1, r2)
  return marked === word ? stem : stem.replaceAll('Y', 'y')
}

/**
 * Whether a word consists of letters from `a` to `z` and apostrophes. A loop, because starting a regular expression takes as long as the
 * loop.
 */
function isLetters(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at)
    if ((unit < LETTER_A || unit > LETTER_Z) && unit !== APOSTROPHE) return false
  }
  return true
}

function isVowel(word: string, index: number): boolean {
  return IS_VOWEL[word.charCodeAt(index)] === 1
}

/** Writes `y` as `Y` while the steps run where it is a consonant: at the start of a word or after a vowel. */
function markConsonantY(word: string): string {
  if (!word.includes('y') || !/^y|[aeiouy]y/.test(word)) return word
  let isAfterVowel = false
  return word.replace(/./gsu, (letter, at: number) => {
    const isConsonant = letter === 'y' && (at === 0 || isAfterVowel)
    isAfterVowel = !isConsonant && VOWELS.includes(letter)
    return isConsonant ? 'Y' : letter
  })
}

/** Starts of R1 and R2. R1 begins after the first consonant that follows a vowel; R2 likewise within R1. */
function regions(word: string): [number, number] {
  const prefix = PREFIXES.get(word.charCodeAt(0))
  const r1 = prefix !== undefined && word.startsWith(prefix) ? prefix.length : afterVowelConsonant(word, 0)
  return [r1, afterVowelConsonant(word, r1)]
}

function afterVowelConsonant(word: string, from: number): number {
  for (let i = from + 1; i < word.length; i++) {
    if (!isVowel(word, i) && isVowel(word, i - 1) && i - 1 >= from) return i + 1
  }
  return word.length
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isVowel(word, at)) return true
  return false
}

function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1
  if (last === 1) return isVowel(word, 0) && !isVowel(word, 1)
  return last > 1 && !isVowel(word, last) && !'wxY'.includes(word.charAt(last)) && isVowel(word, last - 1) && !isVowel(word, last - 2)
}

function stepPlural(word: string): string {
  // Rules out most words before the comparisons.
  const last = lastUnit(word)
  if (last !== LETTER_S && last !== LETTER_D) return word
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  if (word.endsWith('us') || word.endsWith('ss') || !word.endsWith('s')) return word
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function stepPast(word: string, r1: number): string {
  const [suffix, replacement] = suffixOf(word, STEP_1B)
  if (suffix === '') return word
  const stem = word.slice(0, -suffix.length)
  if (replacement !== '') return stem.length >= r1 ? stem + replacement : word
  if (!hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (DOUBLES.has(stem.slice(-2))) return UNDOUBLED.has(stem) ? stem : stem.slice(0, -1)
  return r1 >= stem.length && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function stepTwo(word: string, r1: number): string {
  const [suffix, replacement] = suffixOf(word, STEP_2)
  const start = word.length - suffix.length
  if (suffix === '' || start < r1) return word
  const before = word.charAt(start - 1)
  if ((suffix === 'ogi' && before !== 'l') || (suffix === 'li' && !LI_ENDINGS.includes(before))) return word
  return word.slice(0, start) + replacement
}

function stepThree(word: string, r1: number, r2: number): string {
  const [suffix, replacement] = suffixOf(word, STEP_3)
  const start = word.length - suffix.length
  return suffix === '' || start < (suffix === 'ative' ? r2 : r1) ? word : word.slice(0, start) + replacement
}

function stepFour(word: string, r2: number): string {
  const [suffix] = suffixOf(word, STEP_4)
  const start = word.length - suffix.length
  return suffix === '' || start < r2 || (suffix === 'ion' && !'st'.includes(word.charAt(start - 1))) ? word : word.slice(0, start)
}

function stepFive(word: string, r1: number, r2: number): string {
  if (!word.endsWith('e')) return word.endsWith('ll') && word.length > r2 ? word.slice(0, -1) : word
  const stem = word.slice(0, -1)
  return stem.length >= r2 || (stem.length >= r1 && !endsInShortSyllable(stem)) ? stem : word
}
