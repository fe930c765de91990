/** Sanitises texts of others for a terminal: they must not move the cursor, change colours or write elsewhere. */

/** Keeps line breaks and tabs; replaces every other control character by a blank. */
export function plainLines(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, ' ')
}

/** Returns a single line of at most `lengthMax` characters. */
export function plainLine(text: string, lengthMax: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ')
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…` : line
}
