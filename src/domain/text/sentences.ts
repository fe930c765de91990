/** Sentences of a text, by offsets, so that the text itself stays as it was given. */

/**
 * Sentence punctuation with closing quotes and brackets, before white space; full-width stops need none; line breaks end a
 * sentence as well.
 */
const SENTENCE_END = /[.!?…]+["'”’»)\]]*(?=\s)|[。！？｡]+["'”’」』）]*|[.!?…]*["'”’»)\]]*\r?\n+/gu
/** Words whose full stop ends no sentence, English and German, lower case without the stop. */
const ABBREVIATIONS = new Set([
  'mr', 'mrs', 'ms', 'dr', 'prof', 'st', 'no', 'vs', 'etc', 'e.g', 'i.e', 'cf', 'fig', 'z.b', 'd.h', 'bzw', 'usw', 'nr',
  'ca', 'str', 'u.a'
])

/** End offsets in UTF-16 units, ascending, white space after a sentence included; the last is the text's length. Empty text: none. */
export function sentenceEnds(text: string): number[] {
  const ends: number[] = []
  for (const match of text.matchAll(SENTENCE_END)) {
    const wordStart = Math.max(text.lastIndexOf(' ', match.index - 1), text.lastIndexOf('\n', match.index - 1)) + 1
    const word = text.slice(Math.max(wordStart, match.index - ABBREVIATION_LENGTH_MAX), match.index).toLowerCase()
    const isFullStop = match[0] === '.'
    const isListNumber = /^\d{1,3}$/.test(word) && (wordStart === 0 || text.charAt(wordStart - 1) === '\n')
    if (isFullStop && (ABBREVIATIONS.has(word) || isListNumber || /^\p{L}$/u.test(word))) continue
    let end = match.index + match[0].length
    while (end < text.length && /\s/.test(text.charAt(end))) end++
    if (end > (ends.at(-1) ?? 0) && end < text.length) ends.push(end)
  }
  if (text.length > 0) ends.push(text.length)
  return ends
}

/** Longest word looked up among the abbreviations, in UTF-16 units. */
const ABBREVIATION_LENGTH_MAX = 8

/** 0..1: the share of a text, by length, that its questions make up. */
export function questionShare(text: string): number {
  if (!/[?？]/.test(text)) return 0
  let start = 0
  let asked = 0
  for (const end of sentenceEnds(text)) {
    if (/[?？]["'”’»)\]]*\s*$/.test(text.slice(start, end))) asked += end - start
    start = end
  }
  return asked / text.length
}
