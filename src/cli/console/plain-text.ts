/** Sanitises texts of others for a terminal: they must not move the cursor, change colours, write elsewhere or reverse a line. */
import { upTo } from '../../domain/text/characters.js'

/** Control characters, and those that change the text direction until they are closed. */
const CONTROL = String.raw`\p{Cc}\u202a-\u202e\u2066-\u2069`
const CONTROLS = new RegExp(`(?![\n\t])[${CONTROL}]`, 'gu')
const GAPS = new RegExp(`[${CONTROL}\\s]+`, 'gu')

/** Keeps line breaks and tabs; replaces every other control character by a blank. */
export function plainLines(text: string): string {
  return text.replaceAll(CONTROLS, ' ')
}

/** Returns a single line of at most `lengthMax` UTF-16 units; no letter is cut off from its marks, and no emoji in two. */
export function plainLine(text: string, lengthMax: number): string {
  const line = text.replaceAll(GAPS, ' ')
  return line.length > lengthMax ? `${upTo(line, lengthMax - 1)}…` : line
}
