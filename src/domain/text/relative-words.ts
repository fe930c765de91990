/** Finds words for days and weeks seen from today ("hoy", "明日", "на этой неделе") in languages other than English and German. */
import { addTo } from '../collections/by-key.js'
import { daysFrom, type Span, weekOf } from '../calendar.js'
import { dayOf } from '../day-counts.js'
import { foldCase } from './normal-form.js'
import { RELATIVE_WORDS } from './relative-words-table.js'
import { isStopWord } from './stop-words.js'
import { UNSPACED } from './tokens.js'

/** UTF-16 units read: the beginning of a text. */
const READ_CHARACTERS = 400
/** Most function words of English and German in the rest of such a text, as a share: "hier" is yesterday in French only. */
const KNOWN_SHARE_MAX = 1 / 3
/** Length of a beginning by which phrases are looked up, in UTF-16 units. */
const BEGINNING = 2

type SpanOf = (today: number) => Span

interface Phrase {
  readonly text: string
  /** Whether it may stand within a run of letters. */
  readonly isUnspaced: boolean
  readonly spanOf: SpanOf
}

/** Phrases by their beginning, longest first. */
const PHRASES = phrasesOf(RELATIVE_WORDS)

/** Times that the words name when said at `now`, epoch seconds, in UTC; in the order of the text. */
export function relativeTimes(text: string, now: number): readonly Span[] {
  const plain = plainOf(text.slice(0, READ_CHARACTERS))
  const today = dayOf(now)
  const found: Span[] = []
  let [rest, from] = ['', 0]
  for (let at = 0; at < plain.length; at++) {
    const phrase = PHRASES.get(plain.slice(at, at + BEGINNING))?.find((one) => standsAt(plain, at, one))
    if (phrase === undefined) continue
    found.push(phrase.spanOf(today))
    rest += `${plain.slice(from, at)} `
    from = at + phrase.text.length
    at = from - 1
  }
  return found.length > 0 && isOtherLanguage(rest + plain.slice(from)) ? found : []
}

function standsAt(plain: string, at: number, { text, isUnspaced }: Phrase): boolean {
  if (!plain.startsWith(text, at)) return false
  return isUnspaced || !(LETTER.test(plain.charAt(at - 1)) || LETTER.test(plain.charAt(at + text.length)))
}

const LETTER = /[\p{L}\p{M}\p{N}]/u

function isOtherLanguage(rest: string): boolean {
  const words = rest.match(/\p{L}+/gu) ?? []
  return words.filter((word) => isStopWord(word)).length <= KNOWN_SHARE_MAX * words.length
}

function plainOf(text: string): string {
  return foldCase(text).replaceAll('’', "'")
}

function phrasesOf(table: string): ReadonlyMap<string, readonly Phrase[]> {
  const byBeginning = new Map<string, Phrase[]>()
  let spanOf: SpanOf = daysFrom
  for (const line of table.trim().split('\n')) {
    const [, unit, step] = /^(day|week) (-?\d)$/.exec(line) ?? []
    if (unit !== undefined) {
      spanOf = unit === 'day' ? (today) => daysFrom(today + Number(step)) : (today) => weekOf(today, Number(step))
      continue
    }
    for (const text of line.split('|')) addTo(byBeginning, text.slice(0, BEGINNING), { text, isUnspaced: UNSPACED.test(text), spanOf })
  }
  for (const phrases of byBeginning.values()) phrases.sort((a, b) => b.text.length - a.text.length)
  return byBeginning
}
