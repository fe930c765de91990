/** Requests with an idempotency key, which clients may repeat. */
import type { Command } from '../../domain/commands/commands.js'
import { IDEMPOTENCY_KEY_LENGTH_MAX, keyedRequestId } from '../../domain/request-keys.js'
import { optional, text } from './schemas.js'
import type { Caller } from './resource-ask.js'

/** A field of bodies: the interface supports no header for it. */
export const IdempotencyKey = optional(
  text({
    maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
    description: 'Key for safe retries: the same request with the same key again changes nothing, and gets the same answer.'
  })
)

interface KeyedRequest {
  readonly key: string
  readonly sessionId: string
  readonly command: Command
}

/** Returns the caller with a request id derived from the key, the session and the command. */
export function keyedCaller({ subject, answerShares = null, trace = null }: Caller, { key, sessionId, command }: KeyedRequest): Caller {
  return { subject, id: keyedRequestId({ subject, key, sessionId }, command), answerShares, trace }
}
