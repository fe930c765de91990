/**
 * The connections of the server. Answers end with theirs: a client may send several requests without waiting (RFC 9112, 9.3.2), and when it
 * goes, Node.js tells that to the answer which was being written, and to none of those behind it. They would hold their places and memory
 * for ever. Of what one sends without waiting a part is under way, and the rest is not read until that is answered: TCP tells the client to
 * wait. And those on which no request is under way are bounded in number, for each may have sent nearly all of its headers.
 */
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Clock } from '../../ports.js'
import type { Http } from '../contract/contracts.js'
import { createPipelines } from './pipelines.js'

/** Requests of one connection that are under way. Browsers send none without waiting, proxies and clients of other protocols a few. */
const UNDER_WAY_MAX = 16

/** Iterations of the event loop without a new connection, after which what the latest one has sent is read too. */
const QUIET_ITERATIONS = 3

/** Those that an end waits for connections. Node.js accepts one an iteration, and 511 may wait to be accepted. */
const ACCEPTING_ITERATIONS_MAX = 1_024

/** That an end waits for the rest of a request's headers: longer than a lost packet takes to be sent again, twice. */
const HEADERS_MS_MAX = 2_000

interface ConnectionsOptions {
  /** Default: any number. */
  readonly idleMax?: number | undefined
  readonly clock: Pick<Clock, 'after'>
  readonly yieldToEventLoop: () => Promise<void>
}

interface Line {
  /** Not written to their ends, of requests that are under way or wait. */
  readonly answers: Set<ServerResponse>
  /** Those that were read before reading could be stopped, in their order. */
  readonly waiting: (() => void)[]
}

/**
 * To be registered before whatever waits for the end of an answer. Of more than `idleMax` connections without a request under way the one
 * that has been so for longest is closed: a client that keeps many open keeps nobody else out.
 */
export function registerConnections(app: Http, { idleMax = Infinity, clock, yieldToEventLoop }: ConnectionsOptions): void {
  const lines = new WeakMap<Socket, Line>()
  const pipelines = createPipelines(yieldToEventLoop)
  /** Longest without a request first. */
  const idle = new Set<Socket>()

  function rest(socket: Socket): void {
    if (socket.destroyed) return
    idle.add(socket)
    const [oldest] = idle
    if (idle.size > idleMax) oldest?.destroy()
  }

  function lineOf(socket: Socket): Line {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line: Line = { answers: new Set(), waiting: [] }
    lines.set(socket, line)
    socket.once('close', () => {
      line.waiting.length = 0
      ;[...line.answers].forEach(endUnwritten)
    })
    return line
  }

  /** One of the line is over. */
  function goOn(socket: Socket, { answers, waiting }: Line): void {
    if (answers.size === 0) rest(socket)
    if (answers.size - waiting.length < UNDER_WAY_MAX) waiting.shift()?.()
    if (answers.size === UNDER_WAY_MAX - 1) pipelines.resume(socket)
  }

  /** What is held back of others comes in turn. */
  function closeUnheard(): void {
    for (const socket of idle) if (!socket.isPaused()) socket.destroy()
  }

  app.server.on('connection', (socket) => {
    socket.once('close', () => idle.delete(socket))
    pipelines.watch(socket)
    rest(socket)
  })
  app.addHook('onRequest', (request, { raw }, done) => {
    const { socket } = request.raw
    // A request that is injected has none.
    if (!(socket instanceof Socket)) return done()
    const line = lineOf(socket)
    const { answers, waiting } = line
    answers.add(raw)
    idle.delete(socket)
    const over = (): void => {
      if (answers.delete(raw)) goOn(socket, line)
    }
    raw.once('finish', over)
    raw.once('close', over)
    if (answers.size >= UNDER_WAY_MAX) socket.pause()
    if (answers.size > UNDER_WAY_MAX) waiting.push(done)
    else done()
  })
  // What nobody reads any more is not kept open: Fastify ends it with the answer, and of one that is over before it begins nothing is told.
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    if (!raw.destroyed || !(payload instanceof Readable)) return done(null, payload)
    payload.destroy()
    done(null, '')
  })
  // A request that was sent before the end is in flight, also where nothing of it was read: its connection would be reset.
  app.addHook('preClose', async () => {
    await whenAccepted(app, yieldToEventLoop)
    // One that has brought nothing has nothing in flight: clients open some in advance, and Node.js would wait for their requests.
    for (const socket of idle) if (socket.bytesRead === 0) socket.destroy()
    // One that has brought a part of a request's headers has time for the rest, and no more: Node.js would wait for as long as we let it.
    app.server.once('close', clock.after(HEADERS_MS_MAX, closeUnheard))
  })
}

/** Resolves when all connections are accepted that waited for it, and what they had sent is read. */
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

/** As Node.js does with the one that has the connection: it cannot be written any more, and those that wait for it are told. */
function endUnwritten(answer: ServerResponse): void {
  if (answer.socket !== null || answer.destroyed) return
  answer.destroy()
  answer.emit('close')
}
