/** Answers one message over streamable HTTP. Nothing is kept between two messages, so any node can answer any of them. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { HttpProblem } from '../http/contract/problem.js'
import { isMessage, noJson, noMessage, received, type Refusal, withCheckedRequests } from './message-check.js'
import { createMcpServer, type McpOptions } from './server.js'

/** Request headers that the protocol reads. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const

/** An Accept header that includes JSON. */
const TAKES_JSON = /(?:^|,)\s*(?:\*\/\*|application\/\*|application\/json)\s*(?:[;,]|$)/i

/** Maximum messages of a batch, as the library has it. */
const BATCH_MAX = 100

interface McpMessage {
  /** Parsed JSON. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  /** Runs the work on one message of a batch in its subject's turn. */
  readonly inTurn: (work: () => void) => Promise<void>
}

export interface McpAnswer {
  readonly status: number
  readonly contentType: string | null
  /** To be written as JSON: a message, or a list of them. Null if there is nothing to answer. */
  readonly body: object | null
}

/** Answers a message. Rejects with HttpProblem 400 when the client goes away, which nobody receives. */
export async function answerMessage({ body, headers, signal, inTurn }: McpMessage, options: McpOptions): Promise<McpAnswer> {
  // A batch that is too long is left for the library to refuse.
  const isReadable = Array.isArray(body) ? body.length > 0 && (body.length > BATCH_MAX || body.every(isMessage)) : isMessage(body)
  if (!isReadable) return refusedWith(noMessage())
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(options)
  const results: Results = new Map()
  await server.connect(withTurns(withResultsAside(withCheckedRequests(transport), results), inTurn))
  const gone = new Promise<never>((_resolve, reject) => {
    const leave = (): void => reject(new HttpProblem(400, 'The connection was closed'))
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
  try {
    const response = await Promise.race([transport.handleRequest(toRequest(headers), { parsedBody: body }), gone])
    const answered = await response.text()
    return { status: response.status, contentType: response.headers.get('content-type'), body: withResults(answered, results) }
  } finally {
    // Ends the calls in progress.
    await server.close()
  }
}

/** Answers a body that is not JSON. */
export function answerNoJson(): McpAnswer {
  return refusedWith(noJson())
}

function refusedWith(refusal: Refusal): McpAnswer {
  return { status: 400, contentType: 'application/json', body: refusal }
}

/** Wraps a transport: the server gets one message after another, each in a turn, and none once it is closed. */
function withTurns(inner: Transport, inTurn: McpMessage['inTurn']): Transport {
  let isOpen = true
  let line = Promise.resolve()
  const outer = received(inner, (_, pass) => {
    line = line.then(() => inTurn(() => isOpen && pass()))
  })
  inner.onclose = () => {
    isOpen = false
    outer.onclose?.()
  }
  return outer
}

/** The messages with results, by the id of their request. */
type Results = Map<RequestId, JSONRPCMessage>

/**
 * Wraps a transport: it gets empty results, and `results` the whole ones. The library writes all answers of a batch at once, which stands
 * still for seconds where they are long; they are written elsewhere, in pieces.
 */
function withResultsAside(inner: Transport, results: Results): Transport {
  const send = inner.send.bind(inner)
  return Object.assign(inner, {
    send(message: JSONRPCMessage, options?: TransportSendOptions) {
      if (!('result' in message)) return send(message, options)
      results.set(message.id, message)
      return send({ ...message, result: {} }, options)
    }
  })
}

/** Puts the results into the library's answer. */
function withResults(answered: string, results: Results): object | null {
  if (answered === '') return null
  const whole = (message: { readonly id?: RequestId }): object => results.get(message.id ?? '') ?? message
  const messages = JSON.parse(answered) as object
  return Array.isArray(messages) ? messages.map(whole) : whole(messages)
}

/** The protocol ignores the URL. */
function toRequest(headers: McpMessage['headers']): Request {
  const given = HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  const { accept } = headers
  // The protocol requires clients to accept both forms of an answer. This server sends only JSON, so accepting that, or anything, is
  // enough.
  const isTaken = accept === undefined || TAKES_JSON.test(String(accept))
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: isTaken ? [...given, ['accept', 'application/json, text/event-stream']] : given
  })
}
