/** Who does what to whom: the same words the other way round. */
import { isSameWord } from './forms.js'
import { contentWords, type Reading, type Word } from './reading.js'

/** Content words compared: beyond it two texts are not the same by chance. */
const ORDER_WORDS_MAX = 64

/** Between two things these only list them. */
const LISTING = new Set(['and', 'or', 'und', 'oder', 'vs', 'versus', 'as', 'sowie'])

/**
 * Whether two shared things have changed places around what relates them: another shared content word ("Ann pays Bob") or
 * the same small word ("PDF to Word"), or in a question that asks for the other side ("what do cats eat", "what eats cats").
 * Changed places alone are not enough: "password reset" and "reset the password".
 */
export function isReordered(a: Reading, b: Reading): boolean {
  const left = singleWords(a)
  const right = singleWords(b)
  const isAskedOtherwise = hasAuxiliary(a) !== hasAuxiliary(b)
  const places = left.map((word) => right.findIndex((other) => isSameWord(word, other)))
  for (let i = 0; i < left.length; i++) {
    for (let j = i + 1; j < left.length; j++) {
      const [x, y] = [places[i] as number, places[j] as number]
      if (x < 0 || y < 0 || x <= y) continue
      if (isAskedOtherwise) return true
      const between = wordsBetween(a, left[i] as Word, left[j] as Word)
      const betweenSwapped = wordsBetween(b, right[y] as Word, right[x] as Word)
      if (between.some((word) => isRelating(word) && betweenSwapped.some((other) => isSameWord(word, other)))) return true
    }
  }
  return false
}

/** Words said once: one that recurs has no single place. */
function singleWords(reading: Reading): Word[] {
  const words = contentWords(reading).slice(0, ORDER_WORDS_MAX)
  return words.filter((word) => words.every((other) => other === word || other.text !== word.text))
}

function wordsBetween(reading: Reading, first: Word, last: Word): readonly Word[] {
  return reading.words.slice(reading.words.indexOf(first) + 1, reading.words.indexOf(last))
}

function hasAuxiliary(reading: Reading): boolean {
  return reading.words.some((word) => word.text === 'do' || word.text === 'does' || word.text === 'did')
}

/** Articles, pronouns and auxiliaries stand between any two words, and a list has no order. */
function isRelating(word: Word): boolean {
  return !LISTING.has(word.text) && (!word.isStop || RELATING.has(word.text))
}

const RELATING = new Set(
  (
    'to from into onto than over under before after above below by for of with without against not off in on about through ' +
    'zu von nach aus in als über unter vor durch für gegen mit ohne nicht auf an bei um'
  ).split(' ')
)
