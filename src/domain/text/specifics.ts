/** Specifics of a text: numbers, names, identifiers and quotations, which are what is asked for later. */
import type { Term } from './terms.js'

/** Quotations, of bounded length so that unclosed quotes do not make the search quadratic. */
const QUOTATION = /"[^"]{1,200}"|`[^`]{1,200}`|„[^„“]{1,200}“/gu

/**
 * Capitalised words that do not begin a sentence. In German every noun matches, so they weigh no more than a number. The preceding
 * characters are checked last, because few characters are capitals.
 */
const NAMES = /\p{Lu}(?<=[\p{Ll}\p{Nd},;:]\s\p{Lu})[\p{L}\p{Nd}]+/gu

/** Number of distinct numbers, names, identifiers and quotations in a text. `terms` are those of the text. */
export function specificsIn(text: string, terms: readonly Term[]): number {
  const specifics = new Set([...(text.match(QUOTATION) ?? []), ...(text.match(NAMES) ?? [])])
  // Numbers, addresses, paths and code identifiers, as classified by the tokenizer.
  for (const { token } of terms) if (token.kind !== 'word' && !token.isPart) specifics.add(token.text)
  return specifics.size
}
