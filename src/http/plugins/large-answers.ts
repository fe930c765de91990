/**
 * Long answers: written in the turns of their subject, and the longest piece by piece, no faster than they are read, so that none is held
 * as one text or keeps the event loop.
 */
import { Readable } from 'node:stream'
import { atOnce } from '../../domain/pieces.js'
import type { Weight } from '../../domain/weight.js'
import type { Http, InTurns, TurnsOf } from '../contract/contracts.js'
import { textInTurns } from '../contract/text-in-turns.js'
import { type AnswerSize, jsonParts, sizeOfAnswer } from '../wire/answer-json.js'

/** Characters of an answer that is written at once: a fraction of what its request costs. */
const AT_ONCE_CHARS_MAX = 8 * 1024

/** Characters from which an answer is written in pieces: below, a socket's own buffers hold it. */
const WHOLE_CHARS_MAX = 256 * 1024

/** Characters of one piece. */
const PIECE_CHARS = 64 * 1024

/** Characters of answers that are on their way in pieces. */
const lengths = new WeakMap<Readable, number>()

/** Resolves after everything else that waits in the event loop. */
export type YieldToEventLoop = () => Promise<void>

/** JSON of answers. Handlers name every field they send, so no schema has anything to filter; NaN becomes null instead of a 500. */
export function registerAnswers(app: Http, turnsOf: TurnsOf): void {
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const size = sizeOfAnswer(payload)
    if (size.chars <= AT_ONCE_CHARS_MAX) return done(null, payload)
    reply.serializer(toJson)
    toLongAnswer(payload, size, turnsOf(request.subject)).then((answer) => done(null, answer), done)
  })
}

/** What is JSON already is left as it is; a refusal in the place of a long answer is not. The typings know of texts only. */
function toJson(answer: unknown): string {
  return typeof answer === 'string' || answer instanceof Readable ? (answer as string) : JSON.stringify(answer)
}

/** A long answer; `length` counts its characters as far as nothing else holds them. */
export function toPieces(pieces: Iterable<string> | AsyncIterable<string>, length: number): Readable {
  const answer = Readable.from(pieces, { objectMode: false, highWaterMark: PIECE_CHARS })
  lengths.set(answer, length)
  return answer
}

/** An answer as it is sent: of a long text its pieces, anything else as it is. */
export function inPieces(payload: unknown, yieldToEventLoop: YieldToEventLoop): unknown {
  if (typeof payload !== 'string' || payload.length <= WHOLE_CHARS_MAX) return payload
  return toPieces(slowly(slicesOf(payload), yieldToEventLoop), payload.length)
}

/** What an answer in pieces takes until it is read to its end; null for any other. */
export function weightOnTheWay(answer: unknown): Weight | null {
  const length = answer instanceof Readable ? lengths.get(answer) : undefined
  return length === undefined ? null : { heap: length, buffers: 2 * PIECE_CHARS }
}

/**
 * JSON of an answer: its text, or of the longest ones its pieces, of which none is made before there is memory for it. What a piece is made
 * of is the actor's own and counts there; the answer counts for its longest item, which is made whole.
 */
export async function toLongAnswer(data: unknown, { chars, longest }: AnswerSize, inTurns: InTurns): Promise<string | Readable> {
  if (chars <= WHOLE_CHARS_MAX) return inTurns(atOnce(() => JSON.stringify(data)))
  return toPieces(textInTurns(piecesOf(jsonParts(data)), inTurns), PIECE_CHARS + 2 * longest)
}

/** A client that reads as fast as it is written to would keep the event loop for all of its answer. */
async function* slowly(pieces: Iterable<string>, yieldToEventLoop: YieldToEventLoop): AsyncGenerator<string> {
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
