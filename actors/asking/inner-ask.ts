/** Asks that an actor sends while it handles a request. */
import type { Address } from '../../src/domain/address.js'
import type { RequestMeta } from '../behaviour/behaviour.js'
import type { Ask } from './ask.js'

/**
 * Returns an `Ask` for use while the actor at `address` handles a request. Its request ids derive from that request's id: when the request
 * is retried, the inner asks are recognised as retries too, and are not done twice.
 */
export function askingFor(ask: Ask, { requestId, triedMs, isRepeated, trace }: RequestMeta, { kind, id }: Address): Ask {
  const asked = { requestId: `${requestId}/${kind}:${id}`, triedMs, isRepeated, trace }
  return (address, command, options) => ask(address, command, { ...asked, ...options })
}

/**
 * Returns an `Ask` for what has to be true when the actor's step runs, such as that another one has joined: when the request is retried, it
 * is asked anew, not answered as it was. For commands that may be done twice.
 */
export function askingAnew(ask: Ask, { trace }: RequestMeta): Ask {
  return (address, command, options) => ask(address, command, { trace, ...options })
}
