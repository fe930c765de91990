/** What a region waits for when it asks others. */
import { isDomainError, type ErrorCode } from '../../src/domain/errors.js'

/** Milliseconds for one answer: an actor may have to be read from storage first, and a letter is given 10 s in all. */
export const ANSWER_MS_MAX = 8_000

/** What is asked for; null when it is refused with that code. */
export async function unless<T>(code: ErrorCode, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isDomainError(error) && error.code === code) return null
    throw error
  }
}
