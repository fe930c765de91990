/** Groups the words of an index by their first letters, so that finding words with the same beginning needs no walk through all of them. */
import { deleteIn, getIn, type PartedMap, setIn } from '../collections/parted-map.js'
import { withNext } from '../collections/short-lists.js'
import { SEARCH_VARIANTS_MAX } from '../limits.js'

/** Length of the shared beginning, in UTF-16 units. */
export const BEGINNING_LENGTH = 4

export interface Alike {
  /** Empty after removal, so that no removed word lingers in memory. */
  term: string
}

/** Whether the word was removed. Removal is final: the same letters added again make a new word. */
export function isGone({ term }: Alike): boolean {
  return term.length === 0
}

/** Several words with the same beginning. An array, so that the processor can load the next word before the previous one has arrived. */
interface Several<Word> {
  /** In insertion order. Removed words stay until they are more than half of it: closing each gap would move all words after it. */
  words: Word[]
  /** The letter of each behind the beginning, as `letterOf` gives it: most words need not be read then. */
  letters: number[]
  gone: number
}

/**
 * Words by beginning. A single word, the usual case, is stored without a list. Words shorter than a beginning and those that do not start
 * with letters are not listed.
 */
export type Beginnings<Word extends Alike> = PartedMap<Word | Several<Word>>

/** Appends a word to those with its beginning. It must not be listed yet. */
export function addAlike<Word extends Alike>(beginnings: Beginnings<Word>, word: Word): void {
  if (!isListed(word.term)) return
  const beginning = word.term.slice(0, BEGINNING_LENGTH)
  const known = getIn(beginnings, beginning)
  if (known === undefined) setIn(beginnings, beginning, word)
  else if (isSeveral(known)) {
    known.words = withNext(known.words, word)
    known.letters = withNext(known.letters, letterOf(word.term))
  } else setIn(beginnings, beginning, severalOf([known, word]))
}

function severalOf<Word extends Alike>(words: Word[]): Several<Word> {
  return { words, letters: words.map(({ term }) => letterOf(term)), gone: 0 }
}

/** UTF-16 unit behind the beginning; NONE behind the whole word. */
function letterOf(term: string): number {
  return term.length === BEGINNING_LENGTH ? NONE : term.charCodeAt(BEGINNING_LENGTH)
}

const NONE = -1

/** Removes a word from those with its beginning. It must be listed. */
export function removeAlike<Word extends Alike>(beginnings: Beginnings<Word>, word: Word): void {
  if (!isListed(word.term)) return
  const beginning = word.term.slice(0, BEGINNING_LENGTH)
  const known = getIn(beginnings, beginning)
  if (known === undefined || !isSeveral(known)) {
    deleteIn(beginnings, beginning)
    return
  }
  word.term = ''
  known.gone += 1
  if (known.gone === known.words.length) deleteIn(beginnings, beginning)
  if (known.gone * 2 <= known.words.length) return
  Object.assign(known, severalOf(known.words.filter((one) => !isGone(one))))
}

/** Whether a term is grouped. Characters below `A` are digits and marks: most numbers occur in one text only and need no list. */
function isListed(term: string): boolean {
  if (term.length < BEGINNING_LENGTH) return false
  for (let at = 0; at < BEGINNING_LENGTH; at++) if (term.charCodeAt(at) < LETTERS_FROM) return false
  return true
}

const LETTERS_FROM = 0x41

/**
 * Words with the same beginning as a term of letters, in insertion order, as far as the letters behind it allow that one of both words is
 * the beginning of the other; the term itself included if it is in the index. Some may be removed ones; see `isGone`. Of very many words,
 * the oldest SEARCH_VARIANTS_MAX.
 */
export function wordsAlike<Word extends Alike>(beginnings: Beginnings<Word>, term: string): readonly Word[] {
  const known = getIn(beginnings, term.slice(0, BEGINNING_LENGTH))
  if (known === undefined) return []
  if (!isSeveral(known)) return [known]
  const { words, letters, gone } = known
  const own = letterOf(term)
  const end = Math.min(words.length, SEARCH_VARIANTS_MAX + gone)
  const alike: Word[] = []
  for (let at = 0; at < end; at++) {
    const letter = letters[at] as number
    if (letter === own || letter === NONE || own === NONE) alike.push(words[at] as Word)
  }
  return alike
}

function isSeveral<Word extends Alike>(known: Word | Several<Word>): known is Several<Word> {
  return 'words' in known
}
