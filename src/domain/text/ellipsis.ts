/**
 * Texts whose meaning depends on what was said before: "yes", "next one please", "close it". English and German; for plain reactions more
 * languages.
 */
import { isReaction } from './reactions.js'
import { type Term, termsOf } from './terms.js'

/** UTF-16 units; longer texts have a meaning of their own. */
const ELLIPTIC_LENGTH_MAX = 120
/** Content words that an elliptic text may have: what is to be done with "it". */
const OWN_WORDS_MAX = 1

/** Words that answer what was said, or ask for more of it. */
const REACTIONS = new Set(
  (
    'yep nope never sure fine right exactly correct good great nice cool perfect thanks thank next previous continue go more again look ' +
    'looks sound sounds seem seems maybe later mind done agreed indeed absolutely definitely hm hmm haha wow ah see sorry ' +
    'genau klar gut super toll danke weiter richtig passt stimmt gern gerne vielleicht später nochmal fertig egal sicher'
  ).split(' ')
)

const POINTING = new Set('it them one ones next previous ihn dies damit daran davon darauf dazu dafür'.split(' '))
/** Refers back only at the end of a text: "Wie war es beim Arzt?" does not. */
const POINTING_LAST = 'es'
/** Refer back if no content word follows: "do that", but not "that ticket". */
const POINTING_ALONE = new Set('this that these those das dieses diese diesen'.split(' '))

/** Beginnings that carry what was said before over to something else. */
const CONTINUING = /^\W*(?:and|or|but|what about|how about|und|oder|aber|was ist mit)\s/iu

/** Requests for the next one; each time they mean another. */
const NEXT = /^[^\p{L}]*(?:bitte )?nächste[rsn]? \p{L}+(?:,? bitte)?[\s.!?]*$/iu

/** Small words only, but about the person who asks or is asked. */
const ABOUT_PERSONS =
  /^\W*(?:(?:who|what|how) (?:are|can|do) you|who am i|wer (?:bist du|bin ich)|was kannst du|wie geht(?:'s|’s| es))(?!\p{L})/iu

/** Whether the text means something else wherever something else was said before it. */
export function isElliptic(text: string): boolean {
  if (text.length > ELLIPTIC_LENGTH_MAX) return false
  if (NEXT.test(text) || (isReaction(text) && !ABOUT_PERSONS.test(text))) return true
  const words = termsOf(text).filter(({ token }) => !token.isPart)
  const own = words.filter(isOwn)
  if (CONTINUING.test(text) || words.some((word, at) => pointsBack(word, words[at + 1]))) return own.length <= OWN_WORDS_MAX
  return own.length === 0 && words.length > 0 && !ABOUT_PERSONS.test(text)
}

function isOwn({ token, isStop }: Term): boolean {
  return !isStop && !REACTIONS.has(token.text)
}

function pointsBack({ token }: Term, next: Term | undefined): boolean {
  if (POINTING.has(token.text)) return true
  if (token.text === POINTING_LAST) return next === undefined
  return POINTING_ALONE.has(token.text) && (next === undefined || !isOwn(next))
}
