/** Tells work that is done for a caller that the caller has gone. */
import type { FastifyReply } from 'fastify'

/**
 * Aborts when the caller goes away; also when its answer has left, where nothing is to be ended any more. Fastify's own misses the former.
 */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  else raw.once('close', () => controller.abort())
  return controller.signal
}
