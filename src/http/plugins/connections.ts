/**
 * Bounds the work and the number of connections. Clients may pipeline requests (RFC 9112, 9.3.2). When such a client goes, Node.js tells
 * only the response that is being written; those behind it would hold their places and memory for ever, so they are ended here. Of the
 * pipelined requests a bounded number is in progress; the rest is not read until those are answered, and TCP makes the client wait.
 * Connections without a request in progress are bounded in number, because each may have sent nearly all of its headers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Clock } from '../../ports.js'
import type { Http } from '../contract/typed-http.js'
import { createIdleConnections, NOBODY } from './idle-connections.js'
import { createPipelines } from './pipelines.js'

/** Maximum requests in progress per connection. Browsers do not pipeline; proxies and clients of other protocols pipeline a few. */
const UNDER_WAY_MAX = 16

/** Iterations of the event loop without a new connection after which the data of the latest one has been read. */
const QUIET_ITERATIONS = 3

/** Maximum iterations that closing waits for connections. Node.js accepts one per iteration, and 511 may wait to be accepted. */
const ACCEPTING_ITERATIONS_MAX = 1_024

/** Milliseconds that closing waits for the rest of a request's headers: longer than it takes to resend a lost packet twice. */
const HEADERS_MS_MAX = 2_000

interface ConnectionsOptions {
  /** Maximum number of connections without a request in progress. */
  readonly idleMax: number
  readonly clock: Pick<Clock, 'after'>
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
export function registerConnections(app: Http, { idleMax, clock, yieldToEventLoop }: ConnectionsOptions): Connections {
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

  /** Paused connections are left open: their remaining requests come in turn. */
  function closeUnheard(): void {
    for (const socket of idle) if (!socket.isPaused()) socket.destroy()
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
    raw.once('finish', over)
    raw.once('close', over)
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
  app.addHook('onSend', ({ subject, raw: { socket } }, _reply, _payload, done) => {
    const line = lines.get(socket)
    if (line !== undefined && subject !== NOBODY) line.subject = subject
    done()
  })
  // Destroys a stream that nobody will read. Fastify ends one together with its response, but is not told of a response that closed before,
  // and reads one to its end for HEAD, long after the head was sent.
  app.addHook('onSend', ({ method }, { raw }, payload, done) => {
    if (!(payload instanceof Readable) || (!raw.destroyed && method !== 'HEAD')) return done(null, payload)
    payload.destroy()
    // Rather than a text: the length of the answer to GET is unknown.
    done(null, Readable.from([]))
  })
  // A request sent before closing began counts as in flight even if none of it was read: otherwise its connection would be reset.
  app.addHook('preClose', async () => {
    await whenAccepted(app, yieldToEventLoop)
    // A connection that sent nothing has nothing in flight. Clients open some in advance, and Node.js would wait for their requests.
    for (const socket of idle) if (socket.bytesRead === 0) socket.destroy()
    // A connection that sent part of a request's headers gets a bounded time for the rest; Node.js would wait as long as its time-outs
    // allow.
    app.server.once('close', clock.after(HEADERS_MS_MAX, closeUnheard))
  })
  return {
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

/** Resolves when all connections that were waiting are accepted, and the data they had sent is read. */
async function whenAccepted({ server }: Http, yieldToEventLoop: () => Promise<void>): Promise<void> {
  let accepted = 0
  let quiet = 0
  const note = (): void => void (accepted += 1)
  server.on('connection', note)
  for (let iteration = 0; iteration < ACCEPTING_ITERATIONS_MAX && quiet < QUIET_ITERATIONS; iteration++) {
    const before = accepted
    await yieldToEventLoop()
    quiet = accepted === before ? quiet + 1 : 0
  }
  server.off('connection', note)
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
