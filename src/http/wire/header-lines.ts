/** The lines of a header as they came: Node.js joins those of some, and of others keeps the first without a word. */
import type { IncomingMessage } from 'node:http'

/** Values of the header with this name, in small letters, without the space around them. */
export function headerLines({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  // Names and values take turns.
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name).map((value) => value.trim())
}
