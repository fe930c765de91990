/** Sanitises texts of others for a terminal: they must not move the cursor, change colours, write elsewhere or reverse a line. */

/** Control characters, and those that change the text direction until they are closed. */
const CONTROL = String.raw`\p{Cc}\u202a-\u202e\u2066-\u2069`
const CONTROLS = new RegExp(`(?![\n\t])[${CONTROL}]`, 'gu')
const GAPS = new RegExp(`[${CONTROL}\\s]+`, 'gu')

/** Keeps line breaks and tabs; replaces every other control character by a blank. */
export function plainLines(text: string): string {
  return text.replaceAll(CONTROLS, ' ')
}

/** Returns a single line of at most `lengthMax` characters. */
export function plainLine(text: string, lengthMax: number): string {
  const line = text.replaceAll(GAPS, ' ')
  // A surrogate pair is not split.
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}
