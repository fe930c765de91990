/** The route of a request, as every hook and parser reads it. */
import type { FastifyRequest } from 'fastify'

/** Returns `routeOptions`. Kept with the request: Fastify makes the object anew whenever it is read, some ten times a request. */
export function routeOf(request: FastifyRequest): FastifyRequest['routeOptions'] {
  return (request.route ??= request.routeOptions)
}
