/** Refuses what a browser sends for another site's page, where no token would tell that page from the user. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpProblem } from '../contract/problem.js'

/**
 * Refuses with 403 unless the origin is among `origins` (`*`: any). Some such requests need no preflight, so that only refusing them keeps
 * their effects away: posts without a body or as a form or text, and reads, which count as a use of the session. A page that another site
 * links to may be opened. What is sent by something other than a browser has neither header, and passes.
 */
export function registerCrossSiteCheck(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.includes('*')) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isOwnSite(request, origins) && !isOpeningPage(request))
      throw new HttpProblem(403, 'Without a license no other site may send requests: CORS_ALLOW_ORIGINS may list its origin')
    done()
  })
}

/** By `Origin`, which cannot be forged by a page, or else by `Sec-Fetch-Site`, which browsers add where the connection can be trusted. */
function isOwnSite({ headers }: FastifyRequest, origins: readonly string[]): boolean {
  const { origin } = headers
  if (origin !== undefined) return origins.includes(origin) || hostOf(origin) === headers.host?.toLowerCase()
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Host and port of an origin, as a Host field has them; null for one that hides where it comes from. The scheme is a proxy's affair. */
function hostOf(origin: string): string | null {
  return /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]?.toLowerCase() ?? null
}

/** Into a window of its own, not into a frame of the other site. */
function isOpeningPage({ method, headers, routeOptions }: FastifyRequest): boolean {
  const isPage = routeOptions.config.isPage === true
  return (
    isPage &&
    (method === 'GET' || method === 'HEAD') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}
