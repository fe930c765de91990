/** Estimates of tokens, for embedders without a tokenizer. */
import { isAscii } from './normal-form.js'

/** Characters per token with the usual subword vocabularies in English; other languages have fewer. Interface, Context block. */
export const CHARACTERS_PER_TOKEN = 4

/** Estimated tokens of a text at 4 characters each: the measure of an embedder's window. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/** UTF-16 units counted one by one. The count of a longer text is extrapolated. */
const COUNTED_UNITS_MAX = 8_192

/**
 * First UTF-16 unit of each range of scripts, ascending, with the quarters of a token that a unit takes there. Chosen by what the sets of
 * docs/quality.md take with the o200k vocabulary.
 */
const RANGES: readonly (readonly [from: number, quarters: number])[] = [
  [0x0000, 1], // ASCII and the letters of western Europe
  [0x0100, 4], // rarer Latin letters, which stand among plain ones
  [0x0250, 2], // Greek, Cyrillic, Hebrew, Arabic, the scripts of India, Thai, Lao, Tibetan, Burmese, Georgian
  [0x1100, 4], // Korean, Ethiopic, Khmer and others
  [0x1e00, 4], // Latin letters with several accents
  [0x1f00, 2], // old Greek
  [0x2000, 1], // punctuation
  [0x2070, 4],
  [0x2600, 1], // symbols that mostly stand alone
  [0x27c0, 4], // Chinese, Japanese, Korean
  [0xd800, 1], // emoji
  [0xd840, 4], // rare Chinese
  [0xd880, 1],
  [0xe000, 4],
  [0xfe00, 1], // variants of emoji
  [0xfe10, 4]
]

/** The same by every 16 units. */
const QUARTERS = new Uint8Array(0x1000)
for (const [from, quarters] of RANGES) QUARTERS.fill(quarters, from >> 4)

/** Quarters of a token of each half of an emoji that follows another one. */
const ROW_OF_EMOJI = 4

/**
 * Estimated tokens of a text in a prompt: 4 characters a token in English, and fewer where the vocabularies of language models hold fewer
 * words. At least `estimateTokens`.
 */
export function estimatePromptTokens(text: string): number {
  if (isAscii(text)) return estimateTokens(text)
  const counted = Math.min(text.length, COUNTED_UNITS_MAX)
  let quarters = 0
  for (let at = 0; at < counted; at++) {
    const unit = text.charCodeAt(at)
    quarters += isHalf(unit) && isHalf(text.charCodeAt(at - 2)) ? ROW_OF_EMOJI : (QUARTERS[unit >> 4] as number)
  }
  return Math.ceil((quarters / CHARACTERS_PER_TOKEN) * (text.length / counted))
}

/** Whether a UTF-16 unit is half of a character beyond the first 65,536. */
function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000
}
