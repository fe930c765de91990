/** What the page makes of calls that are refused. */
import { isEngramError } from '../client/engram-error.js'

/** Null where the service says that there is no such thing. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isEngramError(error) && error.kind === 'not_found') return null
    throw error
  }
}

/** What went wrong, in a sentence to be shown. */
export function wordsOf(error: unknown): string {
  if (isEngramError(error) && error.status !== null) return error.detail
  // Of the client, which does not send it.
  return error instanceof TypeError ? error.message : 'The service does not answer.'
}
