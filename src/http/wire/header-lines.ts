/** All lines of a header. Node.js joins the lines of some headers, and silently keeps only the first of others. */
import type { IncomingMessage } from 'node:http'

/** Returns the trimmed values of a header; `name` is in lower case. */
export function headerLines({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  // Names and values alternate.
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name).map((value) => value.trim())
}
