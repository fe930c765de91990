/** Copies of parts of texts. */

/** V8 keeps a part of at least this many characters as a reference to the whole text. */
const REFERRING_LENGTH_MIN = 13

/**
 * Returns the same characters in a text of their own. What is kept longer than the text that it was cut from has to be one: otherwise the
 * whole text stays in memory with it, after it was erased.
 */
export function ownText(part: string): string {
  // One character more is a text that refers to nothing yet; cutting that off copies the rest once, and refers to the copy.
  return part.length < REFERRING_LENGTH_MIN ? part : ` ${part}`.slice(1)
}
