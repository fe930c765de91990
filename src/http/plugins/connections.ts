/**
 * Bounds the work and the number of connections. Clients may pipeline requests (RFC 9112, 9.3.2). When such a client goes, Node.js tells
 * only the response that is being written; those behind it would hold their places and memory for ever, so they are ended here. Of the
 * pipelined requests a bounded number is in progress; the rest is not read until those are answered, and TCP makes the client wait.
 * Connections without a request in progress are bounded in number, because each may have sent nearly all of its headers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Http } from '../contract/typed-http.js'
import { createIdleConnections, NOBODY } from './idle-connections.js'
import { createPipelines } from './pipelines.js'
import { whenOver } from './when-over.js'

/** Maximum requests in progress per connection. Browsers do not pipeline; proxies and clients of other protocols pipeline a few. */
const UNDER_WAY_MAX = 16

interface ConnectionsOptions {
  /** Maximum number of connections without a request in progress. */
  readonly idleMax: number
  readonly yieldToEventLoop: () => Promise<void>
}

interface Line {
  /** Responses that are not fully sent, of requests in progress or waiting. */
  readonly answers: Set<ServerResponse>
  /** Continuations of requests that were read before reading stopped, in order. */
  readonly waiting: (() => void)[]
  /** Response of the latest request, until that request has come in full and is answered. */
  latest: ServerResponse | null
  /** Subject of the last request with a licence. */
  subject: string
  /** Called after each answer, once nothing more of the connection can be read. */
  closing: (() => void) | null
}

export interface Connections {
  /** Connections without a request in progress. */
  readonly idle: Iterable<Socket>
  /**
   * For a connection of which nothing more can be read. Calls `then` once, when all requests that it sent in full are answered: at once if
   * there are none. `isAnswered` tells whether a request that it sent in part has an answer, or the beginning of one. Further calls for
   * the same connection do nothing.
   */
  readonly whenAnswered: (socket: Socket, then: (isAnswered: boolean) => void) => void
}

/**
 * Has to be registered before everything that waits for the end of an answer. Above `idleMax` connections without a request in progress,
 * one of those is closed that has most of them, so that a client with many open connections keeps nobody else out.
 */
export function registerConnections(app: Http, { idleMax, yieldToEventLoop }: ConnectionsOptions): Connections {
  const lines = new WeakMap<Socket, Line>()
  const pipelines = createPipelines(yieldToEventLoop)
  const idle = createIdleConnections(idleMax)

  function rest(socket: Socket): void {
    if (!socket.destroyed) idle.add(socket, lines.get(socket)?.subject ?? NOBODY)
  }

  function lineOf(socket: Socket): Line {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line: Line = { answers: new Set(), waiting: [], latest: null, subject: NOBODY, closing: null }
    lines.set(socket, line)
    socket.once('close', () => {
      line.waiting.length = 0
      ;[...line.answers].forEach(endUnwritten)
    })
    return line
  }

  /** Continues after one request of the connection is over. */
  function goOn(socket: Socket, { answers, waiting, closing }: Line): void {
    closing?.()
    if (answers.size === 0) rest(socket)
    if (answers.size - waiting.length < UNDER_WAY_MAX) waiting.shift()?.()
    if (answers.size === UNDER_WAY_MAX - 1) pipelines.resume(socket)
  }

  app.server.on('connection', (socket) => {
    socket.once('close', () => idle.remove(socket))
    pipelines.watch(socket)
    rest(socket)
  })
  function begin({ socket }: IncomingMessage, raw: ServerResponse): void {
    const line = lineOf(socket)
    line.answers.add(raw)
    line.latest = raw
    idle.remove(socket)
    const over = (): void => {
      if (line.latest === raw && raw.req.complete) line.latest = null
      if (line.answers.delete(raw)) goOn(socket, line)
    }
    whenOver(raw, over)
    if (line.answers.size >= UNDER_WAY_MAX) socket.pause()
  }
  // These events rather than a hook: they cover requests that reach none, such as those with a malformed path.
  app.server.prependListener('request', begin)
  app.server.prependListener('checkExpectation', begin)
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // An injected request has no connection.
    const line = lines.get(socket)
    if (line !== undefined && line.answers.size > UNDER_WAY_MAX) line.waiting.push(done)
    else done()
  })
  app.addHook('onSend', ({ method, subject, raw: { socket } }, { raw }, payload, done) => {
    const line = lines.get(socket)
    if (line !== undefined && subject !== NOBODY) line.subject = subject
    // Destroys a stream that nobody will read. Fastify ends one together with its response, but is not told of a response that closed
    // before, and reads one to its end for HEAD, long after the head was sent.
    if (!(payload instanceof Readable) || (!raw.destroyed && method !== 'HEAD')) return done(null, payload)
    payload.destroy()
    // Rather than a text: the length of the answer to GET is unknown.
    done(null, Readable.from([]))
  })
  return {
    idle,
    whenAnswered(socket, then) {
      const line = lineOf(socket)
      if (line.closing !== null) return
      line.closing = () => {
        if ([...line.answers].some(({ req }) => req.complete)) return
        line.closing = () => undefined
        then(line.latest !== null && !line.latest.req.complete && line.latest.headersSent)
      }
      line.closing()
    }
  }
}

/**
 * Ends a response that Node.js does not end itself, as that does with the response that has the socket: it is no longer writable, and its
 * listeners are called.
 */
function endUnwritten(answer: ServerResponse): void {
  if (answer.socket !== null || answer.destroyed) return
  answer.destroy()
  answer.emit('close')
}
