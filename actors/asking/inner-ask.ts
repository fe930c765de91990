/** Asking in the course of what an actor was asked itself. */
import type { Address } from '../../src/domain/address.js'
import type { RequestMeta } from '../behaviour/behaviour.js'
import type { Ask } from './ask.js'

/**
 * Asks in the course of a request to the actor at `address`, under an id that follows from the request's: what is done again for a retry of
 * it asks the same again, as a retry, and is not done twice by those who are asked.
 */
export function askingFor(ask: Ask, { requestId, triedS, isRepeated, trace }: RequestMeta, { kind, id }: Address): Ask {
  const asked = {
    requestId: `${requestId}/${kind}:${id}`,
    ...(triedS !== undefined && { triedMs: triedS * 1_000 }),
    ...(isRepeated === true && { isRepeated }),
    ...(trace !== undefined && { trace })
  }
  return (address, command, options) => ask(address, command, { ...asked, ...options })
}
