/** Receives a request's body, and joins its parts in pieces: in one go, 32 MiB would take tens of milliseconds. */
import type { Readable } from 'node:stream'
import { errorCodes, type FastifyRequest } from 'fastify'
import type { Pieces } from '../../domain/pieces.js'
import { routeOf } from '../contract/route.js'

/** Bytes copied per piece: a millisecond, because most of the copy's memory is new to the process. */
const JOINED_A_PIECE = 1024 * 1024

export interface ReceivedBody {
  readonly bytes: number
  /** Joins the parts into one buffer. Releases each part once it was copied; call it once. */
  joined(): Pieces<Buffer>
}

/**
 * Calls `done` once the body has arrived, with an error if it exceeds the route's limit, differs from its stated length or breaks off. The
 * errors are Fastify's own.
 */
export function receiveBody(request: FastifyRequest, payload: Readable, done: (error: Error | null, body: ReceivedBody) => void): void {
  const { bodyLimit } = routeOf(request)
  const stated = request.headers['content-length'] === undefined ? null : Number(request.headers['content-length'])
  const parts: Buffer[] = []
  let bytes = 0
  const received: ReceivedBody = {
    get bytes() {
      return bytes
    },
    joined: () => joined(parts, bytes)
  }
  function finish(error: Error | null): void {
    payload.off('data', take).off('end', end).off('error', fail)
    done(error, received)
  }
  function take(part: Buffer): void {
    bytes += part.length
    if (bytes > bodyLimit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    else parts.push(part)
  }
  function end(): void {
    finish(stated !== null && stated !== bytes ? new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() : null)
  }
  function fail(error: Error & { statusCode?: number }): void {
    // Not the service's fault: the connection broke off.
    error.statusCode ??= 400
    finish(error)
  }
  if (stated !== null && stated > bodyLimit) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), received)
  payload.on('data', take).on('end', end).on('error', fail)
  payload.resume()
}

/** Joins parts of `bytes` in total, and releases each once it was copied. */
export function* joined(parts: Buffer[], bytes: number): Pieces<Buffer> {
  const whole = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  let pauseAt = JOINED_A_PIECE
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    at += part.copy(whole, at)
    if (at < pauseAt) continue
    pauseAt = at + JOINED_A_PIECE
    yield
  }
  return whole
}
