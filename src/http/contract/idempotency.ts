/** Requests that a client may repeat: what they carry, and whose they are. */
import type { Command } from '../../domain/commands/commands.js'
import { IDEMPOTENCY_KEY_LENGTH_MAX, keyedRequestId } from '../../domain/request-keys.js'
import { optional, text } from './schemas.js'
import type { Caller } from './resource-ask.js'

/** A field of bodies: of headers, the interface supports none for it. */
export const IdempotencyKey = optional(
  text({
    maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
    description: 'The same request with the same key again changes nothing, and is answered as before.'
  })
)

export interface KeyedRequest {
  readonly key: string
  readonly sessionId: string
  readonly command: Command
}

/** The caller of a request with a key to a session, under the id that follows from it. */
export function keyedCaller({ subject, answerShares = null, trace = null }: Caller, { key, sessionId, command }: KeyedRequest): Caller {
  return { subject, id: keyedRequestId({ subject, key, sessionId }, command), answerShares, trace }
}
