/** Parses request bodies: JSON only, of bounded depth and size. Keys that could reach a prototype are dropped. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/errors.js'
import { inOneGo, type Pieces } from '../../domain/pieces.js'
import { type StallWatch, watched } from '../../domain/fairness/stall-watch.js'
import type { Processor } from '../contract/contracts.js'
import { isBodyOptional } from '../contract/optional-body.js'
import { HttpProblem } from '../contract/problem.js'
import { routeOf } from '../contract/route.js'
import { discard } from './body-turns.js'
import { readJson } from './json-text.js'
import { receiveBody, type ReceivedBody } from './received-body.js'

/** Largest body in bytes that is parsed at once, ahead of those of other subjects: takes at most one millisecond. */
const WHOLE_BYTES_MAX = 4 * 1024

/** Name of this work in the stall watch. */
const WORK = 'http.parse'

interface BodyOptions {
  readonly watch: StallWatch
  readonly takePieces: Processor['takePieces']
  readonly admit: Processor['admit']
}

/** `application/json` and relatives such as `application/merge-patch+json`, with any parameters. */
const JSON_TYPE = /^application\/([\w!#$&^.+-]+\+)?json\s*(;|$)/i

/** Replaces Fastify's parsers, whose envelopes and statuses differ from the interface's. */
export function registerBodyParsers(app: FastifyInstance, options: BodyOptions): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('source', null)
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    // RFC 9110, 8.4. A compressed body would be read as broken JSON.
    const { 'content-encoding': coding = 'identity' } = request.headers
    if (isBodyNeeded(request) && coding !== '' && coding.toLowerCase() !== 'identity')
      throw new HttpProblem(415, 'Unsupported content encoding: send bodies uncompressed', { 'accept-encoding': 'identity' })
    // A route without a body ignores what comes. Fastify would refuse a type that it cannot read.
    if (!isBodyNeeded(request)) Reflect.deleteProperty(request.headers, 'content-type')
    done()
  })
  app.addContentTypeParser(JSON_TYPE, (request: FastifyRequest, payload: Readable, done) => {
    receiveBody(request, payload, (error, body) => {
      const refused = (found: Error): void => done(toRefusal(request, found))
      const parsed = (value: unknown): void => done(null, value)
      if (error !== null) done(error)
      else if (!isBodyNeeded(request) || body.bytes === 0) parsed(undefined)
      else if (body.bytes > WHOLE_BYTES_MAX) parseInPieces(request, body, options).then(parsed, refused)
      else parseAtOnce(request, body, { done: parsed, refused, ...options })
    })
  })
  // Any other media type, or none. A route that needs no body ignores what was sent, and an empty body has no type to check: HTTP libraries
  // add one of their own to a POST without a body.
  app.addContentTypeParser('*', (request: FastifyRequest, payload: Readable, done) => {
    receiveBody(request, payload, (error, { bytes }) => {
      if (error !== null) done(error)
      else if (isBodyNeeded(request) && bytes > 0) done(new HttpProblem(415, 'Unsupported media type: send application/json'))
      else done(null, undefined)
    })
  })
  // Interface, Errors: 422 is for a missing field, and here no field can be missing.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && isBodyOptional(bodySchema(request))) request.body = {}
    done()
  })
  // Fastify would close the connection, and a client that is still sending would see a reset instead of its answer. The rest of the body is
  // read and discarded, within the server's time limit for a request.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 413 && !isWaiting(request)) {
      reply.removeHeader('connection')
      discard(request.raw, (goOn) => options.admit(request.subject, goOn))
    }
    done()
  })
}

/** Whether the client keeps its body until it is asked for it. */
function isWaiting({ headers, raw }: FastifyRequest): boolean {
  return headers.expect !== undefined && raw.readableFlowing === null
}

function isBodyNeeded(request: FastifyRequest): boolean {
  return bodySchema(request) !== undefined
}

function bodySchema(request: FastifyRequest): unknown {
  return routeOf(request).schema?.body
}

/** Joins and parses a body. One that is passed on unchanged is kept, and has to be valid JSON for others too. */
function* read(request: FastifyRequest, body: ReceivedBody): Pieces<unknown> {
  const isSourceKept = routeOf(request).config.isSourceKept === true
  const source = yield* body.joined()
  if (isSourceKept) request.source = source
  return yield* readJson(source, { isStrict: isSourceKept })
}

interface Parsing extends BodyOptions {
  readonly done: (parsed: unknown) => void
  /** Receives an HttpProblem 422 for a body that is not JSON or too large. */
  readonly refused: (error: Error) => void
}

function parseAtOnce(request: FastifyRequest, body: ReceivedBody, { watch, done, refused }: Parsing): void {
  let parsed: unknown
  try {
    parsed = watch.during(WORK, sizesOf(body), () => inOneGo(read(request, body)))
  } catch (error) {
    refused(error as Error)
    return
  }
  done(parsed)
}

/** Parses a long body in pieces. */
async function parseInPieces(request: FastifyRequest, body: ReceivedBody, { watch, takePieces }: BodyOptions): Promise<unknown> {
  return takePieces(request.subject, watched({ watch, name: WORK, sizes: sizesOf(body) }, whileHeard(request, read(request, body))))
}

/** What the stall watch is told of a body. */
function sizesOf({ bytes: length }: ReceivedBody): { readonly length: number } {
  return { length }
}

/** Interface, Errors: a malformed export is 400, and unreadable JSON is the extreme case of one. */
function toRefusal(request: FastifyRequest, error: Error): Error {
  if (routeOf(request).config.isExport !== true || !(error instanceof HttpProblem) || typeof error.detail === 'string') return error
  return new DomainError('malformed_payload', `Malformed session export: ${error.detail.map(({ msg }) => msg).join(', ')}`)
}

/** Stops parsing when the client has gone, as its body no longer counts towards memory. */
function* whileHeard<Result>({ raw }: FastifyRequest, work: Pieces<Result>): Pieces<Result> {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
    yield
    if (raw.socket.destroyed) throw new HttpProblem(400, 'The connection was closed')
  }
}
