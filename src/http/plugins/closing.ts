/**
 * Closes the server without a reset for anybody who asks at that moment: all connections that were opened are accepted, whatever was sent
 * before is carried out, what comes later is answered with 503, and an idle connection is closed only after a time in which it could have
 * brought a request that was on its way.
 */
import type { Socket } from 'node:net'
import type { Clock } from '../../ports.js'
import { HttpProblem } from '../contract/problem.js'
import type { Http } from '../contract/typed-http.js'

/** Rounds without a new connection after which the data of the latest one has been read. */
const QUIET_ROUNDS = 3

/** Maximum rounds that closing waits for connections. Node.js accepts one per iteration, and 511 may wait to be accepted. */
const ROUNDS_MAX = 1_024

/** Milliseconds that closing waits for connections while it carries their requests out, and then while it refuses them. */
const ACCEPTING_MS_MAX = 1_000
const REFUSING_MS_MAX = 1_000

/**
 * Milliseconds for which an idle connection is kept after the server has stopped listening. Each answer in this time ends its connection.
 * So connections in constant use are closed by an answer, and of the others few have a request on its way at the moment of their end.
 */
const LINGER_MS = 500

/** Milliseconds that closing waits for the rest of a request's headers: longer than it takes to resend a lost packet twice. */
const HEADERS_MS_MAX = 2_000

interface ClosingOptions {
  /** Whether the node hands its work over, and is closed soon: its answers end their connections already. */
  readonly isLeaving: () => boolean
  /** Connections without a request in progress. */
  readonly idle: Iterable<Socket>
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  /** Resolves once one more connection would have come, had any been waiting. */
  readonly accepted: () => Promise<void>
}

interface AcceptingOptions extends Pick<ClosingOptions, 'clock' | 'accepted'> {
  readonly quietRounds: number
  readonly limitMs: number
}

/** Has to be registered before everything that waits for a turn: requests are refused at once. */
export function registerClosing(app: Http, { isLeaving, idle, clock, accepted }: ClosingOptions): void {
  const { server } = app
  let isClosing = false

  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing || isLeaving()) reply.header('connection', 'close')
    done()
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    if (isClosing) throw new HttpProblem(503, 'The service is shutting down', { 'retry-after': '1', connection: 'close' })
    done()
  })
  app.addHook('preClose', async () => {
    // A request sent before closing began counts as in flight even if none of it was read.
    await whenAccepted(app, { clock, accepted, quietRounds: QUIET_ROUNDS, limitMs: ACCEPTING_MS_MAX })
    isClosing = true
    await whenAccepted(app, { clock, accepted, quietRounds: 1, limitMs: REFUSING_MS_MAX })
    // Node.js would call it as it stops listening, and reset every request that is on its way over a kept connection.
    const closeIdle = server.closeIdleConnections.bind(server)
    server.closeIdleConnections = () => undefined
    const lingered = clock.after(LINGER_MS, () => {
      closeIdle()
      // Node.js does not count one that sent nothing among the idle.
      for (const socket of idle) if (socket.bytesRead === 0) socket.destroy()
    })
    // A connection that sent part of a request's headers gets a bounded time for the rest; Node.js would wait as long as its time-outs
    // allow. Paused connections are left open: their remaining requests come in turn.
    const heard = clock.after(HEADERS_MS_MAX, () => {
      for (const socket of idle) if (!socket.isPaused()) socket.destroy()
    })
    server.once('close', () => {
      lingered()
      heard()
    })
  })
}

/** Resolves when all connections that were waiting are accepted: after so many rounds without any, or `limitMs`. */
async function whenAccepted({ server }: Http, { clock, accepted, quietRounds, limitMs }: AcceptingOptions): Promise<void> {
  const untilMs = clock.monotonicMs() + limitMs
  let quiet = 0
  const note = (): void => void (quiet = -1)
  server.on('connection', note)
  for (let round = 0; round < ROUNDS_MAX && quiet < quietRounds && clock.monotonicMs() < untilMs; round++) {
    await accepted()
    quiet += 1
  }
  server.off('connection', note)
}
