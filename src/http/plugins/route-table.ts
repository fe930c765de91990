/** Knows which methods each path has, to tell a wrong method from an unknown path. */
import type { FastifyInstance } from 'fastify'
import { HttpProblem } from '../contract/problem.js'
import { routeOf } from '../contract/route.js'

interface Template {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/**
 * Collects every route registered after it, and answers requests without a route: 405 with `Allow` if the path exists, else 404. Neither
 * needs a token, because both reveal only what the public schema does. A trailing slash makes no difference except for DELETE of a path
 * that the interface writes without one: some clients shorten `/v1/session/a/entities/..` to `/v1/session/a/`, which must not remove the
 * session.
 */
export function registerUnmatched(app: FastifyInstance): void {
  const templates = new Map<string, Template>()

  app.addHook('onRoute', ({ url, method }) => {
    // The cross-origin plugin registers `*` for preflights; it is not a path of the interface.
    if (url === '*') return
    const template = templates.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const name of [method].flat()) template.methods.add(name)
    templates.set(url, template)
  })

  // A hook rather than the handler for unmatched requests, which would have to parse the body first.
  app.addHook('onRequest', (request, _reply, done) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (!request.is404) {
      if (request.method === 'DELETE' && path.endsWith('/') && !/[*/]$/.test(routeOf(request).url ?? ''))
        throw new HttpProblem(404, 'Not Found')
      return done()
    }
    const methods = new Set(
      [...templates.values()].filter(({ pattern }) => pattern.test(path)).flatMap((template) => [...template.methods])
    )
    if (methods.size === 0) throw new HttpProblem(404, 'Not Found')
    throw new HttpProblem(405, 'Method Not Allowed', { allow: [...methods].sort().join(', ') })
  })
}

/** Name of the parameter for the rest of a path: the key of an entity. */
export const WILDCARD_NAME = 'key'

/** `/v1/session/:session_id` → `/v1/session/{session_id}`, as the interface writes it; a trailing `*` → `{key}`. */
export function toTemplate(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, `{${WILDCARD_NAME}}`)
}

function toPattern(url: string): RegExp {
  const segments = url.replace(/\/$/, '').split('/')
  const source = segments.map((segment) => (segment === '*' ? '.*' : segment.startsWith(':') ? '[^/]+' : escape(segment))).join('/')
  return new RegExp(`^${source}/?$`)
}

function escape(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
