/** Keywords, as typed into a search: "boiling point ethanol" asks what the boiling point of ethanol is. */
import type { Reading } from './words.js'
import { withoutMarks } from './spellings.js'

/** Most words of a text in keywords, and of what the other one asks for, which has more small words. */
const WORDS_MAX = 8
const ASKED_WORDS_MAX = 2 * WORDS_MAX

/** A question for what a thing has, as frames leave it. */
const WHAT_IS = /^(?:what (?:is|are)|was (?:ist|sind)) (.+)$/

/** Words between what is asked for and whose it is. */
const OF = new Set(['of', 'for', 'von', 'für'])
const ARTICLES = new Set('the a an der die das dem den ein eine einem einen'.split(' '))

/**
 * Whether `a` consists of the words of what `b` asks for: in its order, or, where `a` has no "of", with what follows that in front:
 * "ethanol boiling point".
 */
export function isInKeywords(a: Reading, b: Reading): boolean {
  const asked = WHAT_IS.exec(plainOf(b.text))?.[1]
  if (asked === undefined) return false
  const words = wordsOf(asked)
  if (words.length > ASKED_WORDS_MAX) return false
  const places = words.flatMap((word, at) => (OF.has(word) ? [at] : []))
  const keywords = wordsOf(plainOf(a.given))
  if (places.length === 0 || keywords.length < 2 || keywords.length > WORDS_MAX) return false
  const given = keywords.join(' ')
  if (words.join(' ') === given) return true
  const orders = [words, ...places.map((at) => [...words.slice(at + 1), ...words.slice(0, at)])]
  return orders.some((order) => order.filter((word) => !OF.has(word)).join(' ') === given)
}

function plainOf(text: string): string {
  return withoutMarks(text.toLowerCase(), '?.! ')
}

function wordsOf(text: string): string[] {
  return text.split(' ').flatMap((word) => (ARTICLES.has(word) ? [] : [word.replace(/'s$/u, '')]))
}
