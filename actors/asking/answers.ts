/** Asking actors that may be gone, unable to answer, or busy. */
import { type DomainError, type ErrorCode, isDomainError } from '../../src/domain/errors.js'
import type { Clock } from '../../src/ports.js'
import { pause } from './time-limit.js'

/**
 * Milliseconds for one actor's answer to another one that asks many: it may have to be read from storage first. Below what a request and a
 * try of an outbox message are given, so that the reason of a delay is known.
 */
export const ANSWER_MS_MAX = 8_000

/** What an actor refuses with that would fail for any caller. What is asked of many goes on without it. */
export const FAILING: readonly ErrorCode[] = ['internal', 'restart_limited']

/** What is asked for, or null when it is refused with one of the codes, which `refused` is then told. Any other refusal is thrown on. */
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

/**
 * Milliseconds before a busy actor is asked again, doubled each time, and how often: a full mailbox of quick commands empties within the
 * first.
 */
const BUSY_RETRY_MS_MIN = 10
const BUSY_RETRIES_MAX = 6

/** Asks again, a little later each time, while the actor is busy. For kinds of which a subject has one actor for everything. */
export async function untilNotBusy<Answer>(ask: () => Promise<Answer>, clock: Pick<Clock, 'after'>): Promise<Answer> {
  for (let retries = 0; ; retries++) {
    try {
      return await ask()
    } catch (error) {
      if (!isDomainError(error) || error.code !== 'busy' || retries === BUSY_RETRIES_MAX) throw error
    }
    await pause(clock, BUSY_RETRY_MS_MIN * 2 ** retries)
  }
}
