/** Body of a model's answer, read on demand and in turns, with a limit on how long it may be silent. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { DomainError } from '../domain/errors.js'
import type { Cancel, Clock, ModelRequest } from '../ports.js'

/**
 * Chunks of one read that cost a turn. Node.js reads 64 KiB of a connection at once, which are 10,000 chunks of one byte. Each costs the
 * event loop some microseconds: 128 cost as much as a short request. Models send fewer at once.
 */
const CHUNKS_A_TURN = 128

/** Bytes of the connection that cost a turn, whatever comes of them: extensions of chunks cost as much as what is passed on. */
const BYTES_A_TURN = 64 * 1024

/**
 * Bytes of an answer that wait to be taken from which they may be thousands of chunks: those of the read that brought its headers, which
 * are not counted.
 */
const UNCOUNTED_BYTES_MAX = 4 * 1024

interface AnswerBodyOptions {
  readonly clock: Clock
  /** Counted only while the next chunk is read: a slow reader is not the service's silence. */
  readonly idleMs: number
  /** Error with which a body ends that is silent for longer. */
  readonly late: DomainError
  /** Error with which a body ends whose connection was lost. */
  readonly broken: DomainError
  /** As that of the request. */
  readonly admit: NonNullable<ModelRequest['admit']>
  /** Before a read that may be as expensive as the last one; see `createReadTurns`. */
  readonly readInTurn: (goOn: () => void) => void
}

/**
 * Lets one caller go on in each iteration of the event loop. Thirty-two bodies in chunks of one byte, each read at once, held it for half a
 * second: a read cannot be divided.
 */
export function createReadTurns(): (goOn: () => void) => void {
  const waiting: (() => void)[] = []
  function next(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  return (goOn) => {
    if (waiting.push(goOn) === 1) setImmediate(next)
  }
}

/**
 * What comes in one read of the connection is one chunk of the body: short ones would take several hundred bytes each in every buffer on
 * their way. Destroying the body closes the connection. A failure without a listener is ignored.
 */
export function createAnswerBody(
  response: IncomingMessage,
  { clock, idleMs, late, broken, admit, readInTurn }: AnswerBodyOptions
): Readable {
  // Once it is complete, the answer no longer has it.
  const { socket } = response
  let stopTimer: Cancel = () => undefined
  /** Chunks of the current read. */
  let chunks: Buffer[] = []
  /** Turns to wait for before the next read. */
  let turns = 0
  let isExpensive = false
  /** Bytes of the connection that no turn is due for. */
  let paidBytes = socket.bytesRead
  const body = new Readable({
    read: goOn,
    destroy(error, done) {
      stopTimer()
      if (!response.readableEnded) response.destroy()
      done(error)
    }
  })
  function goOn(): void {
    if (turns > 0) {
      turns -= 1
      return admit(goOn)
    }
    if (body.destroyed) return
    if (isExpensive || response.readableLength > UNCOUNTED_BYTES_MAX) {
      isExpensive = false
      return readInTurn(readOn)
    }
    readOn()
  }
  function readOn(): void {
    if (body.destroyed) return
    stopTimer()
    stopTimer = clock.after(idleMs, () => body.destroy(late))
    response.resume()
    if (!response.complete) socket.resume()
  }
  /** The connection of a complete answer is given back as it is, so it must not be left paused. */
  function pause(): void {
    response.pause()
    // A paused answer alone would still take in what comes, chunk by chunk.
    if (!response.complete) socket.pause()
  }
  function passOn(): void {
    if (chunks.length === 0) return
    stopTimer()
    const turnsOfBytes = Math.floor((socket.bytesRead - paidBytes) / BYTES_A_TURN)
    paidBytes += turnsOfBytes * BYTES_A_TURN
    turns = Math.floor(chunks.length / CHUNKS_A_TURN) + turnsOfBytes
    isExpensive = turns > 0
    const [first] = chunks
    const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
    chunks = []
    if (!response.complete) pause()
    body.push(bytes)
  }
  // Until it is asked for: the first reads of many answers would otherwise be followed by their second ones.
  pause()
  body.on('error', () => undefined)
  response.on('data', (chunk: Buffer) => {
    // Runs once the whole read is parsed.
    if (chunks.push(chunk) === 1) queueMicrotask(passOn)
  })
  response.on('end', () => {
    passOn()
    body.push(null)
  })
  response.on('error', () => body.destroy(broken))
  return body
}
