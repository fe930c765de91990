/**
 * The connection to the NATS servers: the only file that knows the client. Lost, it is made anew, for ever, and by us. The client's own
 * reconnecting keeps what is published meanwhile and sends it later, does not look at the server it finds, and for a connection on which
 * nothing passes waits until all that it has written has passed.
 */
import { connect, DebugEvents, ErrorCode, Events, headers as createHeaders, type Msg, type NatsConnection, type Subscription } from 'nats'
import { codeIn, DomainError, isDomainError } from '../../domain/errors.js'
import type { Cancel, Clock, Logger } from '../../ports.js'
import { unreachable } from '../refusals.js'
import { serverProblem } from './server-check.js'
import { parseServerUrl, type ServerUrl } from './server-url.js'

export interface Message {
  readonly topic: string
  /** Where an answer goes; empty when none is wanted. */
  readonly reply: string
  /** The server's own: 503 when nobody listens on the topic of a request. 0 for what others send. */
  readonly status: number
  readonly data: Uint8Array
  /** Empty when it is not there. */
  header(name: string): string
}

export type Headers = Readonly<Record<string, string>>

export interface NatsLink {
  readonly isReady: boolean
  /** Bytes of one message with its headers, by the server connected to last. */
  readonly payloadMax: number
  /** False, and nothing is sent now or later, while there is no connection. */
  publish(topic: string, data: Uint8Array, options?: { readonly reply?: string; readonly headers?: Headers }): boolean
  /**
   * Goes on over every reconnection. What `listener` throws is logged. With `isDrained` it still hears, once cancelled, what the server
   * had sent by then; without, nothing more.
   */
  subscribe(topic: string, listener: (message: Message) => void, options?: { readonly isDrained?: boolean }): Cancel
  /** Calls `listener` after each reconnection. */
  onReconnect(listener: () => void): Cancel
  /** Resolves when the server has taken all that was published before; throws `unreachable`. */
  flush(waitMs: number): Promise<void>
  /** Lets what was published leave, for `CLOSE_MS_MAX` at most. Twice is fine. */
  close(): Promise<void>
}

export interface NatsLinkOptions {
  /** See `parseServerUrl`. */
  readonly url: string
  /** As the server shows it to its operator. */
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
}

/** Milliseconds for the first connection: a server that starts together with the node is up by then. */
const FIRST_MS_MAX = 10_000

/** Milliseconds for one attempt to connect: what a server grants a client to introduce itself. */
const ATTEMPT_MS_MAX = 2_000

/** Milliseconds between attempts: half a heartbeat, so that a restarted server costs none. */
const RECONNECT_MS = 250

/** Milliseconds between attempts after a server that must not be used, or that does not let this node in: operators have to act. */
const REFUSED_MS = 5_000

/** Milliseconds between pings; the connection is given up with two unanswered: it is known before the node fences itself (3 s). */
const PING_MS = 1_000
const PINGS_OUT_MAX = 2

/** Milliseconds that leaving may take. */
const CLOSE_MS_MAX = 5_000

const WRONG_CREDENTIALS: string = ErrorCode.AuthorizationViolation

interface Listening {
  readonly topic: string
  readonly listener: (message: Message) => void
  /** On the present connection. */
  live: Subscription | null
}

/**
 * Resolves once connected. Throws DomainError `unreachable` when no server answers within `FIRST_MS_MAX`, and a plain Error with a
 * sentence for the operator when one must not be used, or does not accept the credentials.
 */
export async function connectNats(options: NatsLinkOptions): Promise<NatsLink> {
  const { clock, logger } = options
  const url = parseServerUrl(options.url)
  const dial = () => open(options, url)
  const listenings = new Set<Listening>()
  const reconnected = new Set<() => void>()
  let current = await firstOf(dial, clock)
  let payloadMax = 0
  let closing: Promise<void> | undefined
  let cancelRetry: Cancel = () => {}

  const isReady = () => closing === undefined && !current.isClosed()
  const listen = (listening: Listening) => {
    listening.live = current.subscribe(listening.topic, {
      // Thrown into the client, it would end its reading for good.
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
      // An unsuitable server is named once, not with every attempt.
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
        // Draining fails on a connection that is lost, which has nothing more to say either.
        if (isDrained && isReady()) listening.live?.drain().catch(() => undefined)
        else listening.live?.unsubscribe()
      }
    },
    onReconnect(listener) {
      reconnected.add(listener)
      return () => reconnected.delete(listener)
    },
    async flush(waitMs) {
      if (!isReady() || !(await within(current.flush(), waitMs, clock))) throw unreachable()
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
    await new Promise<void>((resolve) => clock.after(RECONNECT_MS, resolve))
  }
}

/** One attempt at each server. Throws as `connectNats` does. */
async function open({ name }: NatsLinkOptions, { servers, isEncrypted, credentials }: ServerUrl): Promise<NatsConnection> {
  let found: NatsConnection
  try {
    found = await connect({
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
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === WRONG_CREDENTIALS) throw new Error('The NATS server does not accept the credentials of this node')
    // The client's own message quotes the address.
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
  if (!connection.isClosed()) await within(Promise.race([connection.drain(), ended]), CLOSE_MS_MAX, clock)
  await connection.close()
}

/** Whether `work` succeeded in time. */
function within(work: Promise<void>, waitMs: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(waitMs, () => resolve(false))
    const settled = (isDone: boolean) => {
      cancel()
      resolve(isDone)
    }
    work.then(
      () => settled(true),
      () => settled(false)
    )
  })
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

/** The client's code of an error (`CONNECTION_REFUSED`), else its sort. */
function reasonOf(error: unknown): string {
  return codeIn(error) ?? (error instanceof Error ? error.name : 'unknown')
}
