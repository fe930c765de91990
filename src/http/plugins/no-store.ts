/** Keeps answers out of caches: nearly every one depends on its caller, whose token a cache in between does not know. */
import type { FastifyInstance } from 'fastify'

/** Sets `Cache-Control: no-store` on every answer, refusals included. A route whose answer is the same for everybody sets another value. */
export function registerNoStore(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
}
