/** Body of a model's answer, read on demand, with a limit on how long it may be silent. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { DomainError } from '../domain/errors.js'
import type { Cancel, Clock } from '../ports.js'

interface AnswerBodyOptions {
  readonly clock: Clock
  /** Counted only while somebody waits for the next chunk: a slow reader is not the service's silence. */
  readonly idleMs: number
  /** Error with which a body ends that is silent for longer. */
  readonly late: DomainError
  /** Error with which a body ends whose connection was lost. */
  readonly broken: DomainError
}

/** Destroying the body closes the connection. A failure without a listener is ignored. */
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
