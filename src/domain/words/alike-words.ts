/** The words of an index by how they begin, so that a word finds those that begin alike without a walk through all of them. */
import { deleteIn, getIn, type PartedMap, setIn } from '../parted-map.js'
import { withNext } from '../short-lists.js'

/** Letters that words have in common to be found together, in UTF-16 units. */
export const BEGINNING_LENGTH = 4

export interface Alike {
  /** Empty once it was taken out: nothing of it may linger among those that stay. */
  term: string
}

/** Whether it was taken out. It never comes back: a word of the same letters is another one. */
export function isGone({ term }: Alike): boolean {
  return term.length === 0
}

/** Several words that begin alike. A list, as that of the next one can be read before that of the one before it has come. */
interface Several<Word> {
  /** In the order in which they came. Those that are gone stay until they are half of it: closing each gap would move all behind it. */
  words: Word[]
  gone: number
}

/**
 * By beginning, the words that have it; of one alone, as most are, not as a list. Words shorter than a beginning are not there, nor are
 * those that are no words of letters.
 */
export type Beginnings<Word extends Alike> = PartedMap<Word | Several<Word>>

/** Puts a word behind those that begin like it. It must not be there. */
export function addAlike<Word extends Alike>(beginnings: Beginnings<Word>, word: Word): void {
  if (!isListed(word.term)) return
  const beginning = word.term.slice(0, BEGINNING_LENGTH)
  const known = getIn(beginnings, beginning)
  if (known === undefined) setIn(beginnings, beginning, word)
  else if (isSeveral(known)) known.words = withNext(known.words, word)
  else setIn(beginnings, beginning, { words: [known, word], gone: 0 })
}

/** Takes a word out of those that begin like it. It must be there. */
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
  known.words = known.words.filter((one) => !isGone(one))
  known.gone = 0
}

/** Whether a word of letters may begin alike. Below `A` there are digits and marks: most numbers stand in one text, and need no list. */
function isListed(term: string): boolean {
  if (term.length < BEGINNING_LENGTH) return false
  for (let at = 0; at < BEGINNING_LENGTH; at++) if (term.charCodeAt(at) < LETTERS_FROM) return false
  return true
}

const LETTERS_FROM = 0x41

/**
 * The words that begin with the same letters as a term of letters, itself among them where it is there, in the order in which they came.
 * Some may be gone.
 */
export function wordsAlike<Word extends Alike>(beginnings: Beginnings<Word>, term: string): readonly Word[] {
  const known = getIn(beginnings, term.slice(0, BEGINNING_LENGTH))
  if (known === undefined) return []
  return isSeveral(known) ? known.words : [known]
}

function isSeveral<Word extends Alike>(known: Word | Several<Word>): known is Several<Word> {
  return 'words' in known
}
