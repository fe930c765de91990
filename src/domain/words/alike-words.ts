/** The words of an index by how they begin, so that a word finds those that begin alike without a walk through all of them. */
import { deleteIn, getIn, type PartedMap, setIn } from '../parted-map.js'

/** Letters that words have in common to be found together, in UTF-16 units. */
export const BEGINNING_LENGTH = 4

/** An element of a ring of words that begin alike, in the order in which they came: two links a word weigh less than a set for a few. */
export interface Alike<Word> {
  readonly term: string
  next: Word
  previous: Word
}

/** By beginning, the word of it that came first. Words shorter than a beginning are in none, nor are those that are no words of letters. */
export type Beginnings<Word> = PartedMap<Word>

/** Puts a word behind those that begin like it. It must not be there, and links to itself. */
export function addAlike<Word extends Alike<Word>>(beginnings: Beginnings<Word>, word: Word): void {
  if (!isListed(word.term)) return
  const beginning = word.term.slice(0, BEGINNING_LENGTH)
  const first = getIn(beginnings, beginning)
  if (first === undefined) {
    setIn(beginnings, beginning, word)
    return
  }
  const last = first.previous
  word.previous = last
  word.next = first
  last.next = word
  first.previous = word
}

/** Takes a word out of those that begin like it. It must be there. */
export function removeAlike<Word extends Alike<Word>>(beginnings: Beginnings<Word>, word: Word): void {
  if (!isListed(word.term)) return
  const beginning = word.term.slice(0, BEGINNING_LENGTH)
  if (word.next === word) {
    deleteIn(beginnings, beginning)
    return
  }
  word.previous.next = word.next
  word.next.previous = word.previous
  if (getIn(beginnings, beginning) === word) setIn(beginnings, beginning, word.next)
}

/** Whether a word of letters may begin alike. Below `A` there are digits and marks: most numbers stand in one text, and need no list. */
function isListed(term: string): boolean {
  if (term.length < BEGINNING_LENGTH) return false
  for (let at = 0; at < BEGINNING_LENGTH; at++) if (term.charCodeAt(at) < LETTERS_FROM) return false
  return true
}

const LETTERS_FROM = 0x41

/**
 * The first of the words that begin with the same letters as a term of letters, itself among them where it is there: `next` leads through
 * them in the order in which they came, and back to it.
 */
export function firstAlike<Word extends Alike<Word>>(beginnings: Beginnings<Word>, term: string): Word | undefined {
  return getIn(beginnings, term.slice(0, BEGINNING_LENGTH))
}
