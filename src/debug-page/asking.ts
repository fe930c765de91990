/** Handling of refused calls. */
import { isEngramError } from '../client/engram-error.js'

/** Resolves to null when the service answers that the resource does not exist. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Returns whether the service answered that the resource does not exist. */
export function isMissing(error: unknown): boolean {
  return isEngramError(error) && error.kind === 'not_found'
}

export const NO_ANSWER = 'The service does not answer.'

/** Returns a sentence about the error, for display. */
export function wordsOf(error: unknown): string {
  if (isEngramError(error) && error.status !== null) return error.detail
  // Thrown by the client for a request that it does not send.
  return error instanceof TypeError ? error.message : NO_ANSWER
}
