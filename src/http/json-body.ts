/** Reads request bodies. JSON only, of bounded depth, without keys that could reach a prototype. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { StallWatch } from '../domain/occurrences.js'
import { HttpProblem } from './problem.js'

/** Levels of nesting. A chat completion with tools stays below 20, and recursive code after us must not overflow. */
const DEPTH_MAX = 64

/** `application/json` and its relatives such as `application/merge-patch+json`, with any parameters. */
const JSON_TYPE = /^application\/([\w!#$&^.+-]+\+)?json\s*(;|$)/i

/** Replaces Fastify's own parsers, whose envelopes and statuses are not the interface's. */
export function registerBodyParsers(app: FastifyInstance, watch: StallWatch): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('source', null)
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.isSourceKept === true) request.source = body as Buffer
    done(null, isBodyNeeded(request) ? watch.during('http.parse', body, () => parseJson(body as Buffer)) : undefined)
  })
  // Any other type, or none at all. A route that needs no body does not mind what else was sent.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const isUnusable = isBodyNeeded(request) && (body.length > 0 || request.headers['content-type'] !== undefined)
    if (isUnusable) done(new HttpProblem(415, 'Unsupported media type: send application/json'))
    else done(null, undefined)
  })
  // Fastify would close the connection, and a client that is still sending would meet a reset in place of its answer. The rest of the body
  // is thrown away as it comes, within the server's time for a request.
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode !== 413) return
    reply.removeHeader('connection')
    request.raw.resume()
  })
}

function isBodyNeeded(request: FastifyRequest): boolean {
  return (request.routeOptions.schema as { body?: unknown } | undefined)?.body !== undefined
}

/** Undefined for an empty body. Throws HttpProblem 422 for what is not JSON, or not JSON that is safe to work with. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalid('JSON decode error')
  }
  const flaw = structuralFlaw(value)
  if (flaw !== undefined) throw invalid(flaw)
  return value
}

function invalid(msg: string): HttpProblem {
  return new HttpProblem(422, [{ loc: ['body'], msg, type: 'json_invalid' }])
}

/** Level by level rather than recursive: the depth of what came in must not become the depth of our stack. */
function structuralFlaw(root: unknown): string | undefined {
  let level: object[] = isContainer(root) ? [root] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return `JSON nested deeper than ${DEPTH_MAX} levels`
    const next: object[] = []
    for (const container of level) {
      if (isPoisoned(container)) return 'JSON with a forbidden key: __proto__ or constructor.prototype'
      for (const child of Array.isArray(container) ? container : Object.values(container)) if (isContainer(child)) next.push(child)
    }
    level = next
  }
  return undefined
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isPoisoned(container: object): boolean {
  if (Object.hasOwn(container, '__proto__')) return true
  if (!Object.hasOwn(container, 'constructor')) return false
  const inner: unknown = container.constructor
  return isContainer(inner) && Object.hasOwn(inner, 'prototype')
}
