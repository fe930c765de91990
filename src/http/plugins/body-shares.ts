/**
 * Accounts for bodies in the node's memory. A short body counts in full before it is read. Of a long one only the received bytes count, so
 * that a client which announces much and sends it slowly or never takes nothing from others. The memory for its parsed form counts once it
 * is complete, before it is parsed.
 */
import { Readable } from 'node:stream'
import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { hasCode } from '../../domain/errors.js'
import type { Weight } from '../../domain/fairness/weight.js'
import type { Hold } from '../contract/contracts.js'
import { HttpProblem } from '../contract/problem.js'
import { routeOf } from '../contract/route.js'
import { type AdmitPiece, inTurn } from '../wire/body-turns.js'
import { createJoinedChunks } from '../wire/joined-chunks.js'
import { whenOver } from './when-over.js'

/**
 * Upper bound on the heap that a body takes while read, decoded and parsed, as a multiple of its length. A list of small numbers takes
 * eight times its text.
 */
const BODY_FACTOR = 8

/** Largest body in bytes that counts before it arrives. Nine times as much is little, even for each concurrent request of a subject. */
const SHORT_BYTES_MAX = 16 * 1024

interface BodyShare {
  readonly hold: Hold
  /** The answer to the request, which is over with it. */
  readonly raw: ServerResponse
  readonly admit: AdmitPiece
}

/** A body to read, and a counter of its received bytes. */
interface CountedBody {
  readonly payload: Readable
  readonly bytes: () => number
}

/**
 * Returns null for a request without a body, or with one that is refused for its length. Throws `memory_exhausted`, and HttpProblem 413 for
 * a body that this node never has the memory for.
 */
export function countBody(request: FastifyRequest, payload: Readable, share: BodyShare): CountedBody | null {
  const stated = bodyBytes(request)
  if (stated === 0) return null
  // A long body for which there is no memory now is refused before it is sent.
  takeBody(share.hold, weightOfWhole(stated ?? 0))
  whenOver(share.raw, share.hold.close)
  if (stated !== null && stated <= SHORT_BYTES_MAX) return { payload, bytes: () => stated }
  share.hold.free()
  return countAsItComes(payload, routeOf(request).bodyLimit, share)
}

function countAsItComes(payload: Readable, bytesMax: number, { hold, raw, admit }: BodyShare): CountedBody {
  const body = new Readable({ read: () => undefined })
  // A route that takes no body leaves it unread and its errors unheard, and Node.js ends the process for an error that nobody hears.
  body.on('error', () => undefined)
  const chunks = createJoinedChunks((chunk) => body.push(chunk))
  let bytes = 0
  let isOver = false
  whenOver(raw, () => (isOver = true))
  // What arrives after the refusal or the answer is discarded: otherwise a client that is still sending would see a reset.
  const isRead = (): boolean => !isOver && !body.destroyed && bytes <= bytesMax
  const take = (weight: Weight): boolean => {
    try {
      takeBody(hold, weight)
      return true
    } catch (error) {
      hold.free()
      body.destroy(error as Error)
      return false
    }
  }
  payload.on('data', (chunk: Buffer) => {
    inTurn(payload, admit)
    if (!isRead()) return
    bytes += chunk.length
    if (take({ heap: 0, buffers: chunk.length })) chunks.add(chunk)
  })
  payload.once('end', () => {
    if (!isRead() || !take({ heap: BODY_FACTOR * bytes, buffers: 0 })) return
    chunks.end()
    body.push(null)
  })
  payload.once('error', (error) => body.destroy(error))
  return { payload: body, bytes: () => bytes }
}

function takeBody(hold: Hold, weight: Weight): void {
  try {
    hold.take(weight)
  } catch (error) {
    throw hasCode(error, 'limit_reached') ? new HttpProblem(413, error.message) : error
  }
}

function weightOfWhole(bytes: number): Weight {
  return { heap: BODY_FACTOR * bytes, buffers: bytes }
}

/** Bytes that the request announces; 0 if too many; null if it does not say. */
function bodyBytes(request: FastifyRequest): number | null {
  const { headers } = request
  const stated = Number(headers['content-length'] ?? Number.NaN)
  if (Number.isFinite(stated)) return stated > routeOf(request).bodyLimit ? 0 : stated
  return headers['transfer-encoding'] === undefined ? 0 : null
}

/** Releases the parsed body. Only its bytes still count, because they may be sent on. */
export function releaseBody(request: FastifyRequest, hold: Hold, bytes: number): void {
  Object.assign(request, { body: undefined, source: null })
  hold.free()
  hold.take({ heap: 0, buffers: bytes })
}
