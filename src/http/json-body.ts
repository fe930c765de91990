/** Reads request bodies. JSON only, of bounded depth, without keys that could reach a prototype. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { StallWatch } from '../domain/occurrences.js'
import { HttpProblem } from './problem.js'

/** Levels of nesting. A chat completion with tools stays below 20, and recursive code after us must not overflow. */
const DEPTH_MAX = 64

/**
 * Lists and objects of a body: so many, and one more for every so many bytes. They cost most to parse: a million empty lists in 4 MiB took
 * 0.6 s. The densest export has one in 80 bytes.
 */
const CONTAINERS_FREE = 10_000
const CONTAINER_BYTES = 40

/** Fields of one object, repetitions counted. Large ones are slow to go through: 340,000 in 4 MiB took 1.1 s. */
const FIELDS_MAX = 10_000

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
  const excess = excessOf(body)
  if (excess !== undefined) throw invalid(excess)
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

const [QUOTE, BACKSLASH, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\:[]{}')

/** What is too much about the bytes of a JSON text, before any of it is parsed. Of what is no JSON it may say anything. */
function excessOf(body: Uint8Array): string | undefined {
  const containersMax = CONTAINERS_FREE + body.length / CONTAINER_BYTES
  const fields = new Uint32Array(DEPTH_MAX + 1)
  let depth = 0
  let containers = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === QUOTE) {
      for (at++; at < body.length && body[at] !== QUOTE; at++) if (body[at] === BACKSLASH) at++
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (depth === DEPTH_MAX) return `JSON nested deeper than ${DEPTH_MAX} levels`
      fields[++depth] = 0
      if (++containers > containersMax) return `JSON of more than ${CONTAINERS_FREE} lists and objects, and one more for every ${CONTAINER_BYTES} bytes`
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth = Math.max(0, depth - 1)
    } else if (byte === COLON) {
      const count = (fields[depth] ?? 0) + 1
      if (count > FIELDS_MAX) return `JSON with an object of more than ${FIELDS_MAX} fields`
      fields[depth] = count
    }
  }
  return undefined
}

/** Level by level rather than recursive: the depth of what came in must not become the depth of our stack. */
function structuralFlaw(root: unknown): string | undefined {
  let level: object[] = isContainer(root) ? [root] : []
  while (level.length > 0) {
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
