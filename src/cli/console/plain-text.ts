/** Text of others on a terminal: nothing in it may move the cursor, change colours or write elsewhere. */

/** Line breaks and tabs stay; every other control character is shown as a blank. */
export function plainLines(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, ' ')
}

/** On one line of `lengthMax` characters at most. */
export function plainLine(text: string, lengthMax: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ')
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…` : line
}
