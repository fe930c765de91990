/**
 * Bodies within the node's memory. A short one counts whole before it is read. Of a long one what has come counts: who says that much will
 * come, and sends it slowly or never, takes nothing from others. What is made of it counts from when it is whole, before it is parsed.
 */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Weight } from '../../domain/weight.js'
import type { Hold } from '../contract/contracts.js'
import { type AdmitPiece, inTurn } from '../wire/body-turns.js'

/** Bytes of heap that a body takes at most times its length: read, decoded, parsed. A list of small numbers takes eight times its text. */
const BODY_FACTOR = 8

/** Bytes of a body that counts before it has come. Nine times as much is little, also for each request of a subject under way. */
const SHORT_BYTES_MAX = 16 * 1024

export interface BodyShare {
  readonly hold: Hold
  /** Gives all of it back when the request is over. */
  readonly whenOver: (free: () => void) => void
  readonly admit: AdmitPiece
}

/** A body as it is to be read, and how many bytes of it have come. */
export interface CountedBody {
  readonly payload: Readable
  readonly bytes: () => number
}

/** Null for a request without a body, or with one that is refused for its length. Throws `memory_exhausted`. */
export function countBody(request: FastifyRequest, payload: Readable, share: BodyShare): CountedBody | null {
  const stated = bodyBytes(request)
  if (stated === 0) return null
  // Even what is only stated is refused before it is sent where it could not be taken in now.
  share.hold.take(weightOfWhole(stated ?? 0))
  share.whenOver(share.hold.free)
  if (stated !== null && stated <= SHORT_BYTES_MAX) return { payload, bytes: () => stated }
  share.hold.free()
  return countAsItComes(payload, request.routeOptions.bodyLimit, share)
}

function countAsItComes(payload: Readable, bytesMax: number, { hold, whenOver, admit }: BodyShare): CountedBody {
  const body = new Readable({ read: () => undefined })
  let bytes = 0
  let isOver = false
  whenOver(() => (isOver = true))
  // What comes after the refusal, or after the answer, is thrown away: a client that still sends would else meet a reset.
  const isRead = (): boolean => !isOver && !body.destroyed && bytes <= bytesMax
  const take = (weight: Weight): boolean => {
    try {
      hold.take(weight)
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
    if (take({ heap: 0, buffers: chunk.length })) body.push(chunk)
  })
  payload.once('end', () => {
    if (isRead() && take({ heap: BODY_FACTOR * bytes, buffers: 0 })) body.push(null)
  })
  payload.once('error', (error) => body.destroy(error))
  return { payload: body, bytes: () => bytes }
}

function weightOfWhole(bytes: number): Weight {
  return { heap: BODY_FACTOR * bytes, buffers: bytes }
}

/** Bytes that a request says it brings, none where they are too many; null for one that does not say. */
function bodyBytes({ headers, routeOptions }: FastifyRequest): number | null {
  const stated = Number(headers['content-length'] ?? Number.NaN)
  if (Number.isFinite(stated)) return stated > routeOptions.bodyLimit ? 0 : stated
  return headers['transfer-encoding'] === undefined ? 0 : null
}

/** What was read of it is held no longer: only its bytes, which somebody may still send on. */
export function letGoOfBody(request: FastifyRequest, { raw }: FastifyReply, { hold, bytes }: { hold: Hold; bytes: number }): void {
  Object.assign(request, { body: undefined, source: null })
  hold.free()
  // Its request is over, and nobody would give it back.
  if (!raw.destroyed) hold.take({ heap: 0, buffers: bytes })
}
