/** HTTP client of the model service behind the chat proxy. Bytes pass unchanged in both directions, but for the operator's key. */
import { Agent, type ClientRequest, type IncomingMessage, request as sendPlain } from 'node:http'
import { Agent as SecureAgent, request as sendSecure } from 'node:https'
import { codeIn, DomainError } from '../domain/errors.js'
import { MODEL_FIRST_BYTE_MS_MAX, UPSTREAM_CALLS_MAX } from '../domain/limits.js'
import type { Cancel, Clock, Logger, ModelAnswer, ModelRequest, ModelService } from '../ports.js'
import { createAnswerBody, createReadTurns } from './answer-body.js'
import { decoded } from './decoded-answer.js'
import { masked } from './masked-key.js'

interface ModelServiceOptions {
  /** Base URL of its paths (`https://host/v1`), or that of chat completions below it. A query string is kept. */
  readonly url: string
  /** Sent to this service only, as a bearer token. */
  readonly apiKey: string | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly limits?: Partial<ModelServiceLimits>
}

export interface ModelServiceLimits {
  /** Milliseconds to establish the connection, including TLS. */
  readonly connectMs: number
  /** Milliseconds from then to the first byte of the answer. */
  readonly firstByteMs: number
  /** Milliseconds between two chunks of an answer, while somebody waits for the next one. */
  readonly idleMs: number
  /** Milliseconds of a whole call. */
  readonly overallMs: number
  /** Concurrent calls. */
  readonly callsMax: number
}

const DEFAULT_LIMITS: ModelServiceLimits = {
  // As in browsers and Node.js's fetch: a host that drops packets is not waited for any longer.
  connectMs: 10_000,
  firstByteMs: MODEL_FIRST_BYTE_MS_MAX,
  // What Node.js's fetch allows between two chunks of a body. Services that think for longer send comments meanwhile.
  idleMs: 300_000,
  // The longest published answers, some 100,000 tokens, take half of it at 60 tokens a second.
  overallMs: 3_600_000,
  callsMax: UPSTREAM_CALLS_MAX
}

/**
 * Headers of an answer that are not passed on to the caller. They concern the connection (RFC 9110, 7.6.1) or the length, the upstream's
 * origin, or the account behind the operator's key, or this service sets them itself.
 */
const WITHHELD_HEADERS = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'proxy-authenticate',
    'proxy-authentication-info',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'content-length',
    'date',
    'via'
  ],
  ...[
    'cache-control',
    'set-cookie',
    'set-cookie2',
    'strict-transport-security',
    'alt-svc',
    'clear-site-data',
    'www-authenticate',
    'server',
    'nel',
    'report-to',
    'reporting-endpoints',
    'expect-ct',
    'public-key-pins'
  ],
  ...['openai-organization', 'openai-project', 'x-session-id', 'vary', 'location', 'refresh']
])

/** Statuses of a final answer. RFC 9110, 15. Node.js passes on any of three digits, and 101 as well. */
const STATUS_MIN = 200
const STATUS_MAX = 599

/** Maximum interim answers (100, 102, 103) of one call. RFC 9110, 15.2 has no bound; services send two at most. */
const INTERIM_MAX = 100

/** Maximum idle connections kept for further calls. */
const IDLE_SOCKETS_MAX = 64

/** Creates a client of one model service. Redirects are not followed: the request and the key are meant only for the configured address. */
export function createModelService(options: ModelServiceOptions): ModelService {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const isSecure = new URL(options.url).protocol === 'https:'
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxFreeSockets: IDLE_SOCKETS_MAX })
  const calls = new Set<Call>()
  const readInTurn = createReadTurns()

  function open({ method, path, body, trace }: ModelRequest): ClientRequest {
    const headers = {
      ...headersOf(options.apiKey),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
      ...(trace !== undefined && { traceparent: trace })
    }
    const request = (isSecure ? sendSecure : sendPlain)(addressOf(options.url, path), { method, headers, agent })
    return request.end(body)
  }

  return {
    async send(request, signal) {
      if (calls.size >= limits.callsMax) throw new DomainError('busy', 'Too many calls to the model service are under way')
      const { admit = atOnce, holds = () => undefined } = request
      const call = createCall({ clock: options.clock, limits, signal, admit, readInTurn, holds, ended: () => calls.delete(call) })
      calls.add(call)
      try {
        const { status, ...answer } = await call.answerTo(() => open(request), isSecure ? 'secureConnect' : 'connect')
        return { status, ...masked(answer, options.apiKey) }
      } catch (error) {
        call.end()
        if (error instanceof DomainError) throw error
        // The message of a network error contains addresses; its code does not.
        options.logger.warn({ code: codeIn(error) ?? 'unknown' }, 'The model service cannot be reached')
        throw unavailable('The model service cannot be reached')
      }
    },
    close() {
      for (const call of [...calls]) call.fail(unavailable('The service is shutting down'))
      agent.destroy()
    }
  }
}

function atOnce(goOn: () => void): void {
  goOn()
}

interface CallOptions {
  readonly clock: Clock
  readonly limits: ModelServiceLimits
  readonly signal: AbortSignal
  readonly admit: NonNullable<ModelRequest['admit']>
  readonly readInTurn: (goOn: () => void) => void
  readonly holds: NonNullable<ModelRequest['holds']>
  readonly ended: () => void
}

type Call = ReturnType<typeof createCall>

/** One call with its deadlines. Whatever ends it ends both sides. */
function createCall({ clock, limits, signal, admit, readInTurn, holds, ended }: CallOptions) {
  let stopTimer: Cancel = () => undefined
  /** Aborts the call in its current phase. */
  let abandon: (error: DomainError) => void = () => undefined
  const fail = (error: DomainError): void => abandon(error)
  const leave = (): void => fail(unavailable('The caller went away'))
  const stopOverall = clock.after(limits.overallMs, () => fail(late('The model service took too long')))
  signal.addEventListener('abort', leave, { once: true })

  const until = (limitMs: number, error: DomainError): void => {
    stopTimer()
    stopTimer = clock.after(limitMs, () => fail(error))
  }
  function end(): void {
    stopTimer()
    stopOverall()
    signal.removeEventListener('abort', leave)
    ended()
  }

  async function begin(open: () => ClientRequest, connected: 'connect' | 'secureConnect'): Promise<IncomingMessage> {
    if (signal.aborted) throw unavailable('The caller went away')
    return new Promise((resolve, reject) => {
      const request = open()
      const thinking = (): void => until(limits.firstByteMs, late('The model service did not answer in time'))
      until(limits.connectMs, unavailable('The model service cannot be reached'))
      request.on('socket', (socket) => (socket.connecting ? socket.once(connected, thinking) : thinking()))
      let interim = 0
      request.on('information', () => {
        if (++interim > INTERIM_MAX) request.destroy(new Error('too many interim answers'))
      })
      request.on('response', resolve)
      // Stays registered after the answer has begun; errors are then reported by the body.
      request.on('error', (error) => reject(isStale(request, error) ? new StaleConnectionError() : error))
      // Node.js closes a connection that changes its protocol (101) unasked, and reports no error.
      request.on('close', () => reject(new Error('closed without an answer')))
      abandon = (error) => {
        request.destroy()
        reject(error)
      }
    })
  }

  async function answerTo(open: () => ClientRequest, connected: 'connect' | 'secureConnect'): Promise<ModelAnswer> {
    const response = await begin(open, connected).catch((error: unknown) => {
      if (error instanceof StaleConnectionError) return begin(open, connected)
      throw error
    })
    stopTimer()
    const { statusCode: status = 0 } = response
    if (status >= 300 && status < 400) {
      response.destroy()
      throw unavailable(`The model service answered with a redirect (${status})`)
    }
    if (status < STATUS_MIN || status > STATUS_MAX) {
      response.destroy()
      throw unavailable(`The model service answered with an unknown status (${status})`)
    }
    const broken = unavailable('The model service broke off')
    const silent = late('The model service fell silent')
    const body = createAnswerBody(response, { clock, idleMs: limits.idleMs, late: silent, broken, admit, readInTurn })
    body.once('close', end)
    abandon = (error) => body.destroy(error)
    try {
      return { status, ...decoded({ headers: passedOn(response), body }, { broken, holds }) }
    } catch (error) {
      body.destroy()
      throw error
    }
  }

  return { answerTo, fail, end }
}

/** The other side closed a kept-alive connection just as it was reused, so the request was not processed. */
class StaleConnectionError extends Error {}

function isStale(request: ClientRequest, error: Error): boolean {
  return request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(codeIn(error) ?? '')
}

function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const named = new Set(
    (headers.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim())
  )
  const isPassed = (name: string) => !WITHHELD_HEADERS.has(name) && !named.has(name) && !name.startsWith('access-control-')
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' && isPassed(name) ? [[name, value]] : []))
  )
}

function headersOf(apiKey: string | undefined): Record<string, string> {
  // The proxy also has to read what it passes on, so no coding is accepted. RFC 9110, 12.5.3.
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'engram',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` })
  }
}

/** `base` may also be the address of chat completions itself, as other programs want it. */
function addressOf(base: string, path: string): URL {
  const address = new URL(base)
  const root = address.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/chat\/completions$/, '')
  address.pathname = `${root}/${path}`
  return address
}

function unavailable(message: string): DomainError {
  return new DomainError('upstream_unavailable', message)
}

function late(message: string): DomainError {
  return new DomainError('upstream_late', message)
}
