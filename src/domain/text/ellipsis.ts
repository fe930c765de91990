/**
 * Texts that say what they are about only by what was said before them: "yes", "next one please", "close it". English and German; reactions
 * alone in more languages.
 */
import { isReaction } from './reactions.js'
import { type Term, termsOf } from './terms.js'

/** UTF-16 units: what is longer says more. */
const ELLIPTIC_LENGTH_MAX = 120
/** Words of its own that a text may have and be about something else all the same: what is to be done with "it". */
const OWN_WORDS_MAX = 1

/** They answer what was said, or ask for more of it. */
const REACTIONS = new Set(
  (
    'yep nope never sure fine right exactly correct good great nice cool perfect thanks thank next previous continue go more again look ' +
    'looks sound sounds seem seems maybe later mind done agreed indeed absolutely definitely hm hmm haha wow ah see sorry ' +
    'genau klar gut super toll danke weiter richtig passt stimmt gern gerne vielleicht später nochmal fertig egal sicher'
  ).split(' ')
)

const POINTING = new Set('it them one ones next previous ihn dies damit daran davon darauf dazu dafür'.split(' '))
/** It points at the end: "Wie war es beim Arzt?" points at nothing. */
const POINTING_LAST = 'es'
/** They point where no word of content follows: "do that", and not "that ticket". */
const POINTING_ALONE = new Set('this that these those das dieses diese diesen'.split(' '))

/** What follows is said of something else, as it was of what came before. */
const CONTINUING = /^\W*(?:and|or|but|what about|how about|und|oder|aber|was ist mit)\s/iu

/** What is next to something else another time. */
const NEXT = /^[^\p{L}]*(?:bitte )?nächste[rsn]? \p{L}+(?:,? bitte)?[\s.!?]*$/iu

/** Of small words alone, and about the one who is asked or asks. */
const ABOUT_PERSONS =
  /^\W*(?:(?:who|what|how) (?:are|can|do) you|who am i|wer (?:bist du|bin ich)|was kannst du|wie geht(?:'s|’s| es))(?!\p{L})/iu

/** Whether it asks or says something else wherever something else was said before it. */
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
