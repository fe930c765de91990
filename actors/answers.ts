/** What others answer who may be gone, or unable to answer at all. */
import { isDomainError, type DomainError, type ErrorCode } from '../src/domain/errors.js'

/** An actor that fails by itself, whoever asks. It does not hold up what is asked of many. */
export const FAILING: readonly ErrorCode[] = ['internal', 'restart_limited']

/** What is asked for, or null when it is refused with one of the codes, which `refused` is then told. Any other refusal is thrown on. */
export async function unlessRefused<Answer>(
  asked: Promise<Answer>,
  codes: readonly ErrorCode[],
  refused?: (refusal: DomainError) => void,
): Promise<Answer | null> {
  try {
    return await asked
  } catch (error) {
    if (!isDomainError(error) || !codes.includes(error.code)) throw error
    refused?.(error)
    return null
  }
}
