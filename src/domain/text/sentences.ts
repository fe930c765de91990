/** Sentences of a text as offsets, so that the text itself stays unchanged. */
import { inOneGo, type Pieces } from '../pieces.js'

/**
 * End of a sentence: punctuation of any script with closing quotes and brackets before white space, a full-width stop, or a line break.
 * Thai and Lao have no such punctuation, and put spaces between clauses only. A run of marks is matched from its start only and the number
 * of closing marks is bounded, so that any text takes linear time.
 */
const SENTENCE_END =
  /(?<![\p{STerm}…\u037e՞།])[\p{STerm}…\u037e՞།]+["'”’»)\]]{0,8}(?=\s)|[。！？｡]+["'”’」』）]{0,8}|(?<![!?])[!?]+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|(?<=[\u0e01-\u0eff])[ \u00a0](?=[\u0e01-\u0eff])|\r?\n+/gu
/** Words whose full stop ends no sentence, in English and German; lower case, without the stop. */
const ABBREVIATIONS = new Set('mr mrs ms dr prof st no vs etc e.g i.e cf fig z.b d.h bzw usw nr ca str u.a'.split(' '))

/** Punctuation marks examined per piece: about half a millisecond. */
const MARKS_A_PIECE = 1_024

/**
 * End offsets in UTF-16 units, ascending; white space after a sentence belongs to it. The last is the text's length; none for empty text.
 */
export function sentenceEnds(text: string): number[] {
  return inOneGo(sentenceEndsInPieces(text))
}

/** Finds the sentence ends in pieces, with the result of `sentenceEnds`. */
export function* sentenceEndsInPieces(text: string): Pieces<number[]> {
  const ends: number[] = []
  let marks = 0
  /** End of the white space already examined: a row of empty lines is one gap, and is walked through once. */
  let gapEnd = 0
  for (const match of text.matchAll(SENTENCE_END)) {
    if (++marks % MARKS_A_PIECE === 0) yield
    if (match.index < gapEnd) continue
    const before = text.slice(Math.max(0, match.index - ABBREVIATION_LENGTH_MAX), match.index)
    const gap = Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n'))
    const word = before.slice(gap + 1).toLowerCase()
    const isFullStop = match[0] === '.'
    const isListNumber = /^\d{1,3}$/.test(word) && (gap < 0 ? before.length === match.index : before.charAt(gap) === '\n')
    if (isFullStop && (ABBREVIATIONS.has(word) || isListNumber || /^\p{L}$/u.test(word))) continue
    let end = match.index + match[0].length
    while (end < text.length && /\s/.test(text.charAt(end))) end++
    gapEnd = end
    if (end > (ends.at(-1) ?? 0) && end < text.length) ends.push(end)
  }
  if (text.length > 0) ends.push(text.length)
  return ends
}

/** Sentences with their trailing white space. */
export function sentencesOf(text: string): string[] {
  const ends = sentenceEnds(text)
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end))
}

/** Longest abbreviation, in UTF-16 units. */
const ABBREVIATION_LENGTH_MAX = 8

/** Share of a text's length that its questions make up, 0..1. */
export function questionShare(text: string): number {
  if (!/[?？؟]/.test(text)) return 0
  let asked = 0
  for (const sentence of sentencesOf(text)) if (/[?？؟]["'”’»)\]]*\s*$/.test(sentence)) asked += sentence.length
  return asked / text.length
}
