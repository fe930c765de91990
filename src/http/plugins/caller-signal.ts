/** Signals that the caller of a request has gone. */
import type { FastifyReply } from 'fastify'
import { whenOver } from './when-over.js'

/**
 * Returns a signal that aborts when the caller goes away, and also once the answer was sent, when it no longer matters. Fastify's own
 * signal misses the former.
 */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  whenOver(raw, () => controller.abort())
  return controller.signal
}
