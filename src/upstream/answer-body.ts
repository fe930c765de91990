/** The body of a model's answer, no faster than it is read, with a limit on how long it may be silent. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { DomainError } from '../domain/errors.js'
import type { Cancel, Clock } from '../ports.js'

export interface AnswerBodyOptions {
  readonly clock: Clock
  /** Counted only while somebody wants the next piece: a slow reader is not the service's silence. */
  readonly idleMs: number
  /** What the body ends with when it is silent for longer. */
  readonly late: DomainError
  /** What it ends with when the connection ends before it does. */
  readonly broken: DomainError
}

/** Destroying it closes the connection. Nothing happens when it fails while nobody listens. */
export function createAnswerBody(response: IncomingMessage, { clock, idleMs, late, broken }: AnswerBodyOptions): Readable {
  let stopTimer: Cancel = () => undefined
  const body = new Readable({
    read() {
      stopTimer()
      stopTimer = clock.after(idleMs, () => body.destroy(late))
      response.resume()
    },
    destroy(error, done) {
      stopTimer()
      if (!response.readableEnded) response.destroy()
      done(error)
    }
  })
  body.on('error', () => undefined)
  response.on('data', (chunk: Buffer) => {
    stopTimer()
    if (!body.push(chunk)) response.pause()
  })
  response.on('end', () => body.push(null))
  response.on('error', () => body.destroy(broken))
  return body
}
