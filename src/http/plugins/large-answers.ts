/** Long answers: written piece by piece, no faster than they are read, so that none is held as one text or keeps the event loop. */
import { Readable } from 'node:stream'
import type { Weight } from '../../domain/weight.js'
import { jsonParts, sizeOfAnswer } from '../wire/answer-json.js'

/** Characters from which an answer is written in pieces: below, a socket's own buffers hold it. */
const WHOLE_CHARS_MAX = 256 * 1024

/** Characters of one piece. */
const PIECE_CHARS = 64 * 1024

/** Characters of answers that are on their way in pieces. */
const lengths = new WeakMap<Readable, number>()

/** Resolves after everything else that waits in the event loop. */
export type YieldToEventLoop = () => Promise<void>

/** A long answer; `length` counts its characters as far as nothing else holds them. */
export function toPieces(pieces: Iterable<string> | AsyncIterable<string>, length: number): Readable {
  const answer = Readable.from(pieces, { objectMode: false, highWaterMark: PIECE_CHARS })
  lengths.set(answer, length)
  return answer
}

/** An answer as it is sent: of a long text its pieces, anything else as it is. */
export function inPieces(payload: unknown, yieldToEventLoop: YieldToEventLoop): unknown {
  if (typeof payload !== 'string' || payload.length <= WHOLE_CHARS_MAX) return payload
  return toPieces(inSlices(slicesOf(payload), yieldToEventLoop), payload.length)
}

/** What an answer in pieces takes until it is read to its end; null for any other. */
export function weightOnTheWay(answer: unknown): Weight | null {
  const length = answer instanceof Readable ? lengths.get(answer) : undefined
  return length === undefined ? null : { heap: length, buffers: 2 * PIECE_CHARS }
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
