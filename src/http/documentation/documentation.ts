/** The schema as JSON, and two pages to read it. Each page is a single answer that loads nothing from elsewhere. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Http } from '../contract/typed-http.js'
import { sendProblem, toProblem } from '../contract/errors.js'
import { MISSING_TOKEN } from '../plugins/authentication.js'
import { createPages, type Page, type Pages } from './pages.js'

/** Adds `/openapi.json`, `/docs` and `/redoc`. */
export function addDocumentationRoutes(app: Http): void {
  app.get('/openapi.json', { schema: { operationId: 'openapi', tags: ['operations'], summary: 'This document as JSON' } }, async () =>
    app.swagger()
  )

  const { docs, redoc } = createPages(() => app.swagger())
  app.get(
    '/docs',
    {
      config: { isPage: true },
      errorHandler: signInOr(docs),
      schema: { operationId: 'docs', tags: ['operations'], summary: 'Interactive documentation' }
    },
    async (_request, reply) => sendPage(reply, docs.page())
  )
  app.get(
    '/redoc',
    {
      config: { isPage: true },
      errorHandler: signInOr(redoc),
      schema: { operationId: 'redoc', tags: ['operations'], summary: 'Documentation for reading' }
    },
    async (_request, reply) => sendPage(reply, redoc.page())
  )
}

/** A browser that follows a link sends no token. It gets a page that asks for one, with the status that other clients get. */
function signInOr(pages: Pages) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, detail, headers } = toProblem(error)
    const isNavigation = /\btext\/html\b/i.test(request.headers.accept ?? '')
    // `vary` already names `Origin` where cross-origin access is configured.
    reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', '))
    if (!isNavigation || detail !== MISSING_TOKEN) sendProblem(error, request, reply)
    else sendPage(reply.code(status).headers(headers), pages.signIn())
  }
}

function sendPage(reply: FastifyReply, { html, contentSecurityPolicy }: Page): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', contentSecurityPolicy).send(html)
}
