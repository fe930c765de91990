/** Text of others on a terminal: nothing in it may move the cursor, change colours, write elsewhere or turn a line around. */

/** Control characters, and those that set the direction of what follows until they are ended, which other texts need not do. */
const CONTROL = String.raw`\p{Cc}\u202a-\u202e\u2066-\u2069`
const CONTROLS = new RegExp(`(?![\n\t])[${CONTROL}]`, 'gu')
const GAPS = new RegExp(`[${CONTROL}\\s]+`, 'gu')

/** Line breaks and tabs stay; every other control character is shown as a blank. */
export function plainLines(text: string): string {
  return text.replaceAll(CONTROLS, ' ')
}

/** On one line of `lengthMax` characters at most. */
export function plainLine(text: string, lengthMax: number): string {
  const line = text.replaceAll(GAPS, ' ')
  // No pair is cut in two.
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}
