/**
 * Long answers: written in turns by subject, and the longest ones piece by piece, only as fast as they are read. So none is held as one
 * text or blocks the event loop.
 */
import { Readable } from 'node:stream'
import { atOnce } from '../../domain/pieces.js'
import type { Weight } from '../../domain/fairness/weight.js'
import type { RunFairly, RunFairlyFor } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { textInSlices } from '../contract/text-in-slices.js'
import { type AnswerSize, jsonParts, sizeOfAnswer } from '../wire/answer-json.js'

/** Characters of an answer that is written at once: costs a fraction of its request. */
const AT_ONCE_CHARS_MAX = 8 * 1024

/** Characters above which an answer is written in pieces; a socket's own buffers hold less than that. */
const WHOLE_CHARS_MAX = 256 * 1024

/** Characters of one piece. */
const PIECE_CHARS = 64 * 1024

/** Characters of each answer that is being sent in pieces. */
const lengths = new WeakMap<Readable, number>()

/** Resolves in a later iteration of the event loop, after everything that waits now. */
export type YieldToEventLoop = () => Promise<void>

/** Serializes answers. Handlers name every field they send, so no schema has to filter; NaN becomes null instead of a 500. */
export function registerAnswers(app: Http, runFairlyFor: RunFairlyFor): void {
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const size = sizeOfAnswer(payload)
    if (size.chars <= AT_ONCE_CHARS_MAX) return done(null, payload)
    reply.serializer(toJson)
    toLongAnswer(payload, size, runFairlyFor(request.subject)).then((answer) => done(null, answer), done)
  })
}

/**
 * Leaves JSON texts and streams as they are; an error that replaces a long answer still needs serializing. The typings allow texts only.
 */
function toJson(answer: unknown): string {
  return typeof answer === 'string' || answer instanceof Readable ? (answer as string) : JSON.stringify(answer)
}

/** Streams a long answer. `length` counts those of its characters that nothing else accounts for. */
export function toPieces(pieces: Iterable<string> | AsyncIterable<string>, length: number): Readable {
  const answer = Readable.from(pieces, { objectMode: false, highWaterMark: PIECE_CHARS })
  lengths.set(answer, length)
  return answer
}

/** Splits a long text into pieces, with a wait for `untilAdmitted` after each; returns anything else unchanged. */
export function inPieces(payload: unknown, untilAdmitted: () => Promise<void>): unknown {
  if (typeof payload !== 'string' || payload.length <= WHOLE_CHARS_MAX) return payload
  return toPieces(slowly(slicesOf(payload), untilAdmitted), payload.length)
}

/** Memory that an answer in pieces takes until it is read to its end; null for any other answer. */
export function weightOnTheWay(answer: unknown): Weight | null {
  const length = answer instanceof Readable ? lengths.get(answer) : undefined
  return length === undefined ? null : { heap: length, buffers: 2 * PIECE_CHARS }
}

/**
 * Serializes an answer: as one text, or for the longest as a stream whose pieces are made only when there is memory for them. The data
 * belongs to the actor and counts there; the answer counts for its longest item, which is made whole.
 */
export async function toLongAnswer(data: unknown, { chars, longest }: AnswerSize, runFairly: RunFairly): Promise<string | Readable> {
  if (chars <= WHOLE_CHARS_MAX) return runFairly(atOnce(() => JSON.stringify(data)))
  return toPieces(textInSlices(piecesOf(jsonParts(data)), runFairly), PIECE_CHARS + 2 * longest)
}

/** Waits between pieces: a client that reads as fast as it is written to would block the event loop for the whole answer. */
async function* slowly(pieces: Iterable<string>, untilAdmitted: () => Promise<void>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece
    await untilAdmitted()
  }
}

/** Joins short parts and splits long ones. */
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
  // Never splits a surrogate pair, whose halves would be written as two broken characters.
  for (let at = 0; at < text.length;) {
    const end = at + PIECE_CHARS
    const isSplit = text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) <= 0xdbff
    yield text.slice(at, isSplit ? end + 1 : end)
    at = isSplit ? end + 1 : end
  }
}
