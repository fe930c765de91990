/** What the page makes of calls that are refused. */
import { isEngramError } from '../client/engram-error.js'

/** Null where the service says that there is no such thing. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Whether the service says that there is no such thing. */
export function isMissing(error: unknown): boolean {
  return isEngramError(error) && error.kind === 'not_found'
}

export const NO_ANSWER = 'The service does not answer.'

/** What went wrong, in a sentence to be shown. */
export function wordsOf(error: unknown): string {
  if (isEngramError(error) && error.status !== null) return error.detail
  // Of the client, which does not send it.
  return error instanceof TypeError ? error.message : NO_ANSWER
}
