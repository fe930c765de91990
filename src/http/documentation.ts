/** The schema as JSON, and two pages to read it with. Each page is one answer: nothing is loaded from anywhere else. */
import type { Http } from './contracts.js'
import { createPages } from './documentation-pages.js'

/** `/openapi.json`, `/docs` and `/redoc`. */
export function addDocumentationRoutes(app: Http): void {
  app.get('/openapi.json', { schema: { operationId: 'openapi', tags: ['operations'], summary: 'This schema' } }, async () => app.swagger())

  const pages = createPages(() => app.swagger())
  app.get(
    '/docs',
    { config: { isPage: true }, schema: { operationId: 'docs', tags: ['operations'], summary: 'Interactive documentation' } },
    async (_request, reply) => {
      const { html, contentSecurityPolicy } = pages.docs()
      return reply.type('text/html; charset=utf-8').header('content-security-policy', contentSecurityPolicy).send(html)
    }
  )
  app.get(
    '/redoc',
    { config: { isPage: true }, schema: { operationId: 'redoc', tags: ['operations'], summary: 'Documentation to read' } },
    async (_request, reply) => {
      const { html, contentSecurityPolicy } = pages.redoc()
      return reply.type('text/html; charset=utf-8').header('content-security-policy', contentSecurityPolicy).send(html)
    }
  )
}
