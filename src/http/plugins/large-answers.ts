/**
 * Bodies and answers within the node's memory. A body counts until its request is answered. An answer that is long is written piece by
 * piece, no faster than it is read, counts until it is read to its end, and a client that reads nothing for a while is cut off.
 */
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Weight } from '../../domain/weight.js'
import type { AnswerShares, Hold, Http, MemoryShares, Processor } from '../contract/contracts.js'
import { jsonParts, sizeOfAnswer } from '../wire/answer-json.js'
import { countBody, letGoOfBody } from './body-shares.js'

/** Characters from which an answer is written in pieces: below, a socket's own buffers hold it. */
const WHOLE_CHARS_MAX = 256 * 1024

/** Characters of one piece. */
const PIECE_CHARS = 64 * 1024

/**
 * Milliseconds in which a client reads nothing of a long answer before it is cut off; twice as many where it had read some, for Node.js
 * looks twice. The slowest links move something in a second.
 */
const STALLED_MS_MAX = 20_000

/** Characters of answers that are on their way in pieces. */
const lengths = new WeakMap<Readable, number>()

/** What is given back when a request is over: one listener for all of it. */
const endings = new WeakMap<ServerResponse, (() => void)[]>()

export interface StallLimits {
  /** Milliseconds that a connection may be idle otherwise. */
  readonly connectionTimeoutMs: number
  /** Default: `STALLED_MS_MAX`. */
  readonly stalledMs?: number
}

/** Resolves after everything else that waits in the event loop. */
type YieldToEventLoop = () => Promise<void>

export function registerMemoryShares(
  app: Http,
  { openHold, openLease }: MemoryShares,
  limits: StallLimits & { readonly yieldToEventLoop: YieldToEventLoop; readonly admit?: Processor['admit'] | undefined }
): void {
  const admit = limits.admit ?? atOnce
  app.addHook('onRequest', (request, reply, done) => {
    request.answerShares = {
      letGoOfBody: () => undefined,
      refersTo: (address) => whenOver(reply, openLease(address)),
      holds: createAnswerHold(() => openHold('answer', request.subject), reply)
    }
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const hold = openHold('request', request.subject)
    const body = countBody(request, payload, {
      hold,
      whenOver: (free) => whenOver(reply, free),
      admit: (goOn) => admit(request.subject, goOn)
    })
    if (body === null) return done()
    const { answerShares } = request
    const letGo = (): void => letGoOfBody(request, reply, { hold, bytes: body.bytes() })
    // Not as a literal: V8 makes a function that is assigned to a property in old memory, where this one would hold its request.
    if (answerShares !== null) answerShares.letGoOfBody = letGo
    done(null, body.payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const answer =
      typeof payload === 'string' && payload.length > WHOLE_CHARS_MAX
        ? toPieces(inSlices(slicesOf(payload), limits.yieldToEventLoop), payload.length)
        : payload
    const length = answer instanceof Readable ? lengths.get(answer) : undefined
    if (length === undefined) return done(null, payload)
    limitStall(reply, limits)
    take(openHold('answer', request.subject), { heap: length, buffers: 2 * PIECE_CHARS }, reply)
    done(null, answer)
  })
}

/** Everybody goes on. */
const atOnce: Processor['admit'] = (_subject, goOn) => goOn()

/** Opened when it is first needed: most answers need none. */
function createAnswerHold(open: () => Hold, reply: FastifyReply): AnswerShares['holds'] {
  let hold: Hold | null = null
  return (weight) => {
    if (hold === null) {
      hold = open()
      whenOver(reply, hold.free)
    }
    // Its request is over, and nobody would give it back.
    if (!reply.raw.destroyed) hold.take(weight)
  }
}

/** Throws `memory_exhausted`; what is taken is given back when the request is over. */
function take(hold: Hold, weight: Weight, reply: FastifyReply): void {
  hold.take(weight)
  whenOver(reply, hold.free)
}

/** A long answer; `length` counts its characters as far as nothing else holds them. */
export function toPieces(pieces: Iterable<string> | AsyncIterable<string>, length: number): Readable {
  const answer = Readable.from(pieces, { objectMode: false, highWaterMark: PIECE_CHARS })
  lengths.set(answer, length)
  return answer
}

/**
 * JSON of an answer: its text, or of a long one its pieces, of which none is made before there is memory for it. What a piece is made of
 * is the actor's own and counts there; the answer counts for its longest item, which is made whole.
 */
export function toAnswer(data: unknown, yieldToEventLoop: YieldToEventLoop): string | Readable {
  const { chars, longest } = sizeOfAnswer(data)
  if (chars <= WHOLE_CHARS_MAX) return JSON.stringify(data)
  return toPieces(inSlices(piecesOf(jsonParts(data)), yieldToEventLoop), PIECE_CHARS + 2 * longest)
}

/** A client that reads as fast as it is written to would keep the event loop for all of its answer. */
async function* inSlices(pieces: Iterable<string>, yieldToEventLoop: YieldToEventLoop): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece
    await yieldToEventLoop()
  }
}

/** Parts of a few characters are put together, long ones cut. */
function* piecesOf(parts: Iterable<string>): Generator<string> {
  let piece = ''
  for (const part of parts) {
    piece += part
    if (piece.length < PIECE_CHARS) continue
    yield* slicesOf(piece)
    piece = ''
  }
  if (piece !== '') yield piece
}

function* slicesOf(text: string): Generator<string> {
  // Not within a pair of surrogates, which would be written as two broken characters.
  for (let at = 0; at < text.length;) {
    const end = at + PIECE_CHARS
    const isSplit = text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) <= 0xdbff
    yield text.slice(at, isSplit ? end + 1 : end)
    at = isSplit ? end + 1 : end
  }
}

/** Once: when the answer has left, or the connection has gone. */
function whenOver({ raw }: FastifyReply, free: () => void): void {
  const waiting = endings.get(raw)
  if (waiting !== undefined) {
    waiting.push(free)
    return
  }
  const frees = [free]
  endings.set(raw, frees)
  const end = (): void => frees.splice(0).forEach((giveBack) => giveBack())
  raw.once('finish', end)
  raw.once('close', end)
}

/** A socket's time-out begins anew with every byte that the other side takes. */
function limitStall({ raw }: FastifyReply, { connectionTimeoutMs, stalledMs = STALLED_MS_MAX }: StallLimits): void {
  const { socket } = raw
  // A request that is injected has none.
  if (!(socket instanceof Socket)) return
  socket.setTimeout(stalledMs)
  raw.once('finish', () => socket.setTimeout(connectionTimeoutMs))
}
