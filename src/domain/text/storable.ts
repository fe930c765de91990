/** What a text must be to be kept: without what some storage cannot hold, and no longer than it may be. */

/** What is wrong with a text that its length does not show. Storage such as PostgreSQL keeps neither kind. */
export type TextFlaw = 'nul' | 'surrogate'

/** The first of the two flaws in `text`; undefined when it can be stored everywhere as it is. */
export function flawOf(text: string): TextFlaw | undefined {
  if (text.includes('\0')) return 'nul'
  return /\p{Surrogate}/u.test(text) ? 'surrogate' : undefined
}

/** Length in code points, as callers in other languages count it; counts no further than it must. */
export function isLongerThan(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false
  return text.length > 2 * lengthMax || [...text].length > lengthMax
}
