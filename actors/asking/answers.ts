/** Helpers for asking actors that may be gone, unable to answer, or busy. */
import { type DomainError, type ErrorCode, hasCode, isDomainError } from '../../src/domain/errors.js'
import type { Clock } from '../../src/ports.js'
import { pause } from '../../src/time-limit.js'

/**
 * Deadline, in milliseconds, for one actor's answer to an actor that asks many; the answering one may have to be read from storage first.
 * Below the deadlines of a request and of an outbox message's try, so that the reason of a delay is known.
 */
export const ANSWER_MS_MAX = 8_000

/** Refusals of an actor that fails for every caller. A command that asks many actors goes on without its answer. */
export const FAILING: readonly ErrorCode[] = ['internal', 'restart_limited']

/** Resolves to the answer, or to null when it is refused with one of `codes`; `refused` then gets the refusal. Rejects with any other. */
export async function unlessRefused<Answer>(
  asked: Promise<Answer>,
  codes: readonly ErrorCode[],
  refused?: (refusal: DomainError) => void
): Promise<Answer | null> {
  try {
    return await asked
  } catch (error) {
    if (!isDomainError(error) || !codes.includes(error.code)) throw error
    refused?.(error)
    return null
  }
}

/** Milliseconds before the first retry of a busy actor, doubled each time: within them, a full mailbox of quick commands empties. */
const BUSY_RETRY_MS_MIN = 10
const BUSY_RETRIES_MAX = 6

/** Retries with back-off while the actor is busy. For kinds of which a subject has a single actor. */
export async function untilNotBusy<Answer>(ask: () => Promise<Answer>, clock: Pick<Clock, 'after'>): Promise<Answer> {
  for (let retries = 0; ; retries++) {
    try {
      return await ask()
    } catch (error) {
      if (!hasCode(error, 'busy') || retries === BUSY_RETRIES_MAX) throw error
    }
    await pause(clock, BUSY_RETRY_MS_MIN * 2 ** retries)
  }
}
