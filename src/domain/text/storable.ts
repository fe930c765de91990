/** Detects characters that some storage cannot hold. */

/** Flaws of a text that its length does not show. Storage such as PostgreSQL accepts neither. */
type TextFlaw = 'nul' | 'surrogate'

/** First of the two flaws found in a text; undefined if it can be stored everywhere. */
export function flawOf(text: string): TextFlaw | undefined {
  if (text.includes('\0')) return 'nul'
  return /\p{Surrogate}/u.test(text) ? 'surrogate' : undefined
}
