/**
 * Requests whose path the router cannot read, such as one with a malformed percent-encoding. They pass the hooks that every request passes
 * before its licence is checked: a page of another origin can read their refusal, and each is counted, logged and has an id.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { BAD_PATH, HttpProblem } from '../contract/problem.js'

interface UnreadablePaths {
  /** Routes a request that the router has refused, under a path that it can read. */
  route(app: Pick<FastifyInstance, 'routing'>, request: IncomingMessage, response: ServerResponse): void
  /** Adds the hook that refuses such requests with 400. */
  register(app: FastifyInstance): void
}

export function createUnreadablePaths(): UnreadablePaths {
  const unreadable = new WeakSet<IncomingMessage>()
  return {
    route(app, request, response) {
      // Refused again: it was not for its percent signs.
      const path = unreadable.has(request) ? '/' : (request.url ?? '/').replaceAll('%', '%25')
      unreadable.add(request)
      request.url = path
      app.routing(request, response)
    },
    register(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        if (unreadable.has(request.raw)) throw new HttpProblem(400, BAD_PATH)
        done()
      })
    }
  }
}
