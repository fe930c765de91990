/** Signals that the caller of a request has gone. */
import type { FastifyReply } from 'fastify'

/**
 * Returns a signal that aborts when the caller goes away, and also once the answer was sent, when it no longer matters. Fastify's own
 * signal misses the former.
 */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  else raw.once('close', () => controller.abort())
  return controller.signal
}
