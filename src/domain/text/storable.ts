/** What some storage cannot hold of a text. */

/** What is wrong with a text that its length does not show. Storage such as PostgreSQL keeps neither kind. */
export type TextFlaw = 'nul' | 'surrogate'

/** The first of the two flaws in `text`; undefined when it can be stored everywhere as it is. */
export function flawOf(text: string): TextFlaw | undefined {
  if (text.includes('\0')) return 'nul'
  return /\p{Surrogate}/u.test(text) ? 'surrogate' : undefined
}
