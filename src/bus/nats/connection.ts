/**
 * Connection to the NATS servers: the only file that knows the client. A lost connection is re-established here, without end. The client's
 * own reconnecting is off: it buffers what is published meanwhile and sends it later, does not check the server it finds, and on a silent
 * connection waits until everything it has written was sent.
 */
import { connect, DebugEvents, ErrorCode, Events, headers as createHeaders, type Msg, type NatsConnection, type Subscription } from 'nats'
import { codeIn, DomainError, hasSucceeded, isDomainError } from '../../domain/errors.js'
import type { Cancel, Clock, Logger } from '../../ports.js'
import { orTimeout, pause } from '../../time-limit.js'
import { unreachable } from '../refusals.js'
import { orCloseSockets } from './attempt-sockets.js'
import { serverProblem } from './server-check.js'
import { parseServerUrl, type ServerUrl } from './server-url.js'

export interface Message {
  readonly topic: string
  /** Topic for the answer; empty when none is wanted. */
  readonly reply: string
  /** Status set by the server: 503 when nobody listens on a request's topic. 0 for messages of clients. */
  readonly status: number
  readonly data: Uint8Array
  /** Returns an empty string when the header is missing. */
  header(name: string): string
}

export type Headers = Readonly<Record<string, string>>

export interface NatsLink {
  readonly isReady: boolean
  /** Number of connections so far, from 1. */
  connections(): number
  /** Maximum bytes of a message with its headers, by the server that was connected last. */
  readonly payloadMax: number
  /** Returns false, and sends nothing now or later, while there is no connection. */
  publish(topic: string, data: Uint8Array, options?: { readonly reply?: string; readonly headers?: Headers }): boolean
  /**
   * Subscribes across reconnections. Errors of `listener` are logged. With `isDrained` it still receives, after it is cancelled, what the
   * server had sent by then; otherwise nothing more.
   */
  subscribe(topic: string, listener: (message: Message) => void, options?: { readonly isDrained?: boolean }): Cancel
  /** Calls `listener` after each reconnection. */
  onReconnect(listener: () => void): Cancel
  /** Resolves when the server has received everything published before; throws `unreachable`. */
  flush(waitMs: number): Promise<void>
  /** Sends what was published, for at most `CLOSE_MS_MAX`, and closes. Idempotent. */
  close(): Promise<void>
}

interface NatsLinkOptions {
  /** See `parseServerUrl`. */
  readonly url: string
  /** Name that the server shows to its operator. */
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
}

/** Milliseconds for the first connection: enough for a server that starts together with the node. */
const FIRST_MS_MAX = 10_000

/** Milliseconds for one attempt to connect: the time that a server grants a client to introduce itself. */
const ATTEMPT_MS_MAX = 2_000

/** Milliseconds between attempts: half a heartbeat, so that a server's restart costs no heartbeat. */
const RECONNECT_MS = 250

/** Milliseconds between attempts after a server that must not be used or that refuses this node: an operator has to act. */
const REFUSED_MS = 5_000

/** Milliseconds between pings. With two unanswered the connection is dropped, so its loss is known before the node fences itself (3 s). */
const PING_MS = 1_000
const PINGS_OUT_MAX = 2

/** Maximum milliseconds for closing. */
const CLOSE_MS_MAX = 5_000

const WRONG_CREDENTIALS: string = ErrorCode.AuthorizationViolation

interface Listening {
  readonly topic: string
  readonly listener: (message: Message) => void
  /** Subscription on the current connection. */
  live: Subscription | null
}

/**
 * Resolves once connected. Throws DomainError `unreachable` when no server answers within `FIRST_MS_MAX`, and a plain Error with a sentence
 * for the operator when a server must not be used or refuses the credentials.
 */
export async function connectNats(options: NatsLinkOptions): Promise<NatsLink> {
  const { clock, logger } = options
  const url = parseServerUrl(options.url)
  const dial = () => open(options, url)
  const listenings = new Set<Listening>()
  const reconnected = new Set<() => void>()
  let current = await firstOf(dial, clock)
  let connections = 0
  let payloadMax = 0
  let closing: Promise<void> | undefined
  let cancelRetry: Cancel = () => {}

  const isReady = () => closing === undefined && !current.isClosed()
  const listen = (listening: Listening) => {
    listening.live = current.subscribe(listening.topic, {
      // An error thrown into the client would end its reading for good.
      callback: (error, message) => {
        try {
          if (error === null) listening.listener(toMessage(message))
          else logger.warn({ reason: reasonOf(error) }, 'NATS refused a subscription')
        } catch (thrown) {
          logger.error({ reason: reasonOf(thrown) }, 'A message from another node could not be taken')
        }
      }
    })
  }
  const adopt = (found: NatsConnection) => {
    current = found
    connections += 1
    payloadMax = found.info?.max_payload ?? payloadMax
    for (const listening of listenings) listen(listening)
    void watch(found, logger)
    void found.closed().then(() => {
      if (closing !== undefined) return
      logger.warn({}, 'NATS is out of reach')
      void comeBack('')
    })
  }
  const comeBack = async (known: string): Promise<void> => {
    try {
      const found = await dial()
      if (closing !== undefined) {
        await found.close()
        return
      }
      adopt(found)
      logger.info({}, 'NATS is back')
      for (const listener of reconnected) listener()
    } catch (error) {
      // An unsuitable server is logged once, not with every attempt.
      const problem = isDomainError(error) || !(error instanceof Error) ? '' : error.message
      if (problem !== '' && problem !== known) logger.error({ problem }, 'This NATS server cannot be used')
      if (closing === undefined) cancelRetry = clock.after(problem === '' ? RECONNECT_MS : REFUSED_MS, () => void comeBack(problem))
    }
  }

  adopt(current)
  return {
    get isReady() {
      return isReady()
    },
    connections: () => connections,
    get payloadMax() {
      return payloadMax
    },
    publish(topic, data, { reply, headers } = {}) {
      if (!isReady()) return false
      current.publish(topic, data, {
        ...(reply === undefined ? {} : { reply }),
        ...(headers === undefined ? {} : { headers: toHeaders(headers) })
      })
      return true
    },
    subscribe(topic, listener, { isDrained = false } = {}) {
      const listening: Listening = { topic, listener, live: null }
      listenings.add(listening)
      if (isReady()) listen(listening)
      return () => {
        if (!listenings.delete(listening)) return
        // Draining fails on a lost connection, which delivers nothing more anyway.
        if (isDrained && isReady()) listening.live?.drain().catch(() => undefined)
        else listening.live?.unsubscribe()
      }
    },
    onReconnect(listener) {
      reconnected.add(listener)
      return () => reconnected.delete(listener)
    },
    async flush(waitMs) {
      if (!isReady() || !(await isDoneWithin(current.flush(), waitMs, clock))) throw unreachable()
    },
    close() {
      cancelRetry()
      closing ??= leave(current, clock)
      return closing
    }
  }
}

async function firstOf(dial: () => Promise<NatsConnection>, clock: Clock): Promise<NatsConnection> {
  const untilMs = clock.monotonicMs() + FIRST_MS_MAX
  for (;;) {
    try {
      return await dial()
    } catch (error) {
      if (!isDomainError(error) || clock.monotonicMs() >= untilMs) throw error
    }
    await pause(clock, RECONNECT_MS)
  }
}

/** Tries each server once. Throws as `connectNats` does. */
async function open({ name }: NatsLinkOptions, { servers, isEncrypted, credentials }: ServerUrl): Promise<NatsConnection> {
  let found: NatsConnection
  try {
    found = await orCloseSockets(() =>
      connect({
        servers: [...servers],
        ...(isEncrypted ? { tls: {} } : {}),
        ...credentials,
        name,
        timeout: ATTEMPT_MS_MAX,
        pingInterval: PING_MS,
        maxPingOut: PINGS_OUT_MAX,
        reconnect: false,
        noAsyncTraces: true
      })
    )
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === WRONG_CREDENTIALS) throw new Error('The NATS server does not accept the credentials of this node')
    // The client's message quotes the address.
    throw new DomainError('unreachable', 'The NATS server does not answer', {
      cause: Object.assign(new Error(`NATS: ${reason}`), { code: reason })
    })
  }
  const problem = found.info === undefined ? 'The NATS server does not say what it is' : serverProblem(found.info)
  if (problem === null) return found
  await found.close()
  throw new Error(problem)
}

async function watch(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const { type, data } of connection.status()) {
    if (type === DebugEvents.StaleConnection) await connection.close()
    else if (type === Events.Error) logger.warn({ reason: typeof data === 'string' ? data : type }, 'NATS refused something')
  }
}

async function leave(connection: NatsConnection, clock: Clock): Promise<void> {
  // Draining a connection that breaks meanwhile never ends.
  const ended = connection.closed().then(() => undefined)
  if (!connection.isClosed()) await isDoneWithin(Promise.race([connection.drain(), ended]), CLOSE_MS_MAX, clock)
  await connection.close()
}

/** Returns whether `work` succeeded in time. */
async function isDoneWithin(work: Promise<void>, limitMs: number, clock: Clock): Promise<boolean> {
  return (await orTimeout(hasSucceeded(work), { clock, limitMs })) === true
}

function toMessage(message: Msg): Message {
  const { headers } = message
  return {
    topic: message.subject,
    reply: message.reply ?? '',
    status: headers?.code ?? 0,
    data: message.data,
    header: (name) => headers?.get(name) ?? ''
  }
}

function toHeaders(entries: Headers) {
  const headers = createHeaders()
  for (const [name, value] of Object.entries(entries)) headers.set(name, value)
  return headers
}

/** The client's code of an error (`CONNECTION_REFUSED`), else the error's name. */
function reasonOf(error: unknown): string {
  return codeIn(error) ?? (error instanceof Error ? error.name : 'unknown')
}
