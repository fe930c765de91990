/** Reads request bodies. JSON only, of bounded depth, without keys that could reach a prototype. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inOneGo, type Pieces } from '../../domain/pieces.js'
import { type StallWatch, watched } from '../../domain/stall-watch.js'
import type { Processor } from '../contract/contracts.js'
import { HttpProblem } from '../contract/problem.js'
import { readJson } from './json-text.js'

/** Bytes of a body that is parsed at once, before those of other subjects. It takes 10 ms at the very most. */
const WHOLE_BYTES_MAX = 32 * 1024

/** What the watch knows it by. */
const WORK = 'http.parse'

interface BodyOptions {
  readonly watch: StallWatch
  readonly takePieces: Processor['takePieces']
}

/** `application/json` and its relatives such as `application/merge-patch+json`, with any parameters. */
const JSON_TYPE = /^application\/([\w!#$&^.+-]+\+)?json\s*(;|$)/i

/** Replaces Fastify's own parsers, whose envelopes and statuses are not the interface's. */
export function registerBodyParsers(app: FastifyInstance, options: BodyOptions): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('source', null)
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    if (request.routeOptions.config.isSourceKept === true) request.source = body
    if (!isBodyNeeded(request) || body.length === 0) done(null, undefined)
    else if (body.length > WHOLE_BYTES_MAX) parseInPieces(request, body, options).then((parsed) => done(null, parsed), done)
    else parseAtOnce(body, options, done)
  })
  // Any other type, or none at all. A route that needs no body does not mind what else was sent.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const isUnusable = isBodyNeeded(request) && (body.length > 0 || request.headers['content-type'] !== undefined)
    if (isUnusable) done(new HttpProblem(415, 'Unsupported media type: send application/json'))
    else done(null, undefined)
  })
  // Fastify would close the connection, and a client that is still sending would meet a reset in place of its answer. The rest of the body
  // is thrown away as it comes, within the server's time for a request.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 413) {
      reply.removeHeader('connection')
      request.raw.resume()
    }
    done()
  })
}

function isBodyNeeded(request: FastifyRequest): boolean {
  return (request.routeOptions.schema as { body?: unknown } | undefined)?.body !== undefined
}

/** HttpProblem 422 for what is not JSON, or not JSON that is safe to work with. */
function parseAtOnce(body: Buffer, { watch }: BodyOptions, done: (error: Error | null, parsed?: unknown) => void): void {
  let parsed: unknown
  try {
    parsed = watch.during(WORK, body, () => inOneGo(readJson(body)))
  } catch (error) {
    done(error as Error)
    return
  }
  done(null, parsed)
}

/** The same of a long body. */
async function parseInPieces(request: FastifyRequest, body: Buffer, { watch, takePieces }: BodyOptions): Promise<unknown> {
  return takePieces(request.subject, watched({ watch, name: WORK, sizes: body }, whileHeard(request, readJson(body))))
}

/** For a client that has gone nothing is parsed further: its body counts no longer. */
function* whileHeard<Result>({ raw }: FastifyRequest, work: Pieces<Result>): Pieces<Result> {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
    yield
    if (raw.socket.destroyed) throw new HttpProblem(400, 'The connection was closed')
  }
}
