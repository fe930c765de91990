/** What a text names: numbers, names, identifiers and quotations are what is asked for later. */
import type { Term } from './terms.js'

/** Quotations. Bounded, so that quotes which never close do not make the search quadratic. */
const QUOTATION = /"[^"]{1,200}"|`[^`]{1,200}`|„[^„“]{1,200}“/gu

/**
 * Capitalised words that do not open a sentence; in German every noun, which is why they weigh no more than a number. What stands before
 * them is looked at last: few characters are capitals.
 */
const NAMES = /\p{Lu}(?<=[\p{Ll}\p{Nd},;:]\s\p{Lu})[\p{L}\p{Nd}]+/gu

/** Distinct numbers, names, identifiers and quotations of a text. `terms` are its own. */
export function specificsIn(text: string, terms: readonly Term[]): number {
  const specifics = new Set([...(text.match(QUOTATION) ?? []), ...(text.match(NAMES) ?? [])])
  // Numbers, addresses, paths and code identifiers, as the tokenizer tells them.
  for (const { token } of terms) if (token.kind !== 'word' && !token.isPart) specifics.add(token.text)
  return specifics.size
}
