/** Refuses requests that a browser sends for another site's page, where no token tells that page from the user. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpProblem } from '../contract/problem.js'
import { routeOf } from '../contract/route.js'

/**
 * Refuses with 403 unless the origin is the service's own or in `origins` (`*`: any). Some such requests need no preflight, so that only a
 * refusal prevents their effects: posts without a body or as a form or text, and reads, which count as a use of the session. Following a
 * link to a page is allowed. Clients other than browsers send neither header, and pass.
 */
export function registerCrossSiteCheck(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.includes('*')) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isOwnSite(request, origins) && !isOpeningPage(request))
      throw new HttpProblem(403, 'Without licenses, other sites may not send requests, unless CORS_ALLOW_ORIGINS lists their origin')
    done()
  })
}

/** Decides by `Origin`, which a page cannot forge, else by `Sec-Fetch-Site`, which browsers add on trustworthy connections. */
function isOwnSite({ headers }: FastifyRequest, origins: readonly string[]): boolean {
  const { origin } = headers
  if (origin !== undefined) return origins.includes(origin) || hostOf(origin) === headers.host?.toLowerCase()
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Host and port of an origin, as in a Host field; null for an opaque origin. The scheme is ignored, because a proxy may change it. */
function hostOf(origin: string): string | null {
  return /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]?.toLowerCase() ?? null
}

/** Whether the request opens a page in a window of its own, not in a frame of the other site. */
function isOpeningPage(request: FastifyRequest): boolean {
  const { method, headers } = request
  const isPage = routeOf(request).config.isPage === true
  return (
    isPage &&
    (method === 'GET' || method === 'HEAD') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}
