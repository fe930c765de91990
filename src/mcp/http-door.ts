/** One message over streamable HTTP. Nothing is kept between two messages, so that any node answers any of them. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { isMessage, noJson, noMessage, type Refusal, withCheckedRequests } from './message-check.js'
import { createMcpServer, type McpOptions } from './server.js'

/** What of a request's headers the protocol reads. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const

/** What JSON is within. */
const TAKES_JSON = /(?:^|,)\s*(?:\*\/\*|application\/\*|application\/json)\s*(?:[;,]|$)/i

/** Messages of a batch, by the library. */
const BATCH_MAX = 100

export interface McpMessage {
  /** Parsed JSON. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
}

export interface McpAnswer {
  readonly status: number
  readonly contentType: string | null
  /** Empty where there is nothing to say. */
  readonly body: string
}

/** The answer to a message. Rejects when the client goes away. */
export async function answerMessage({ body, headers, signal }: McpMessage, options: McpOptions): Promise<McpAnswer> {
  // More than a batch may have is for the library to refuse.
  const isReadable = Array.isArray(body) ? body.length > 0 && (body.length > BATCH_MAX || body.every(isMessage)) : isMessage(body)
  if (!isReadable) return refusedWith(noMessage())
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(options)
  await server.connect(withCheckedRequests(transport))
  const gone = new Promise<never>((_resolve, reject) => {
    const leave = (): void => reject(new Error('The client has gone'))
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
  try {
    const response = await Promise.race([transport.handleRequest(toRequest(headers), { parsedBody: body }), gone])
    return { status: response.status, contentType: response.headers.get('content-type'), body: await response.text() }
  } finally {
    // Ends the calls that are under way.
    await server.close()
  }
}

/** The answer to what is no JSON. */
export function answerNoJson(): McpAnswer {
  return refusedWith(noJson())
}

function refusedWith(refusal: Refusal): McpAnswer {
  return { status: 400, contentType: 'application/json', body: JSON.stringify(refusal) }
}

/** The address is of no meaning to the protocol. */
function toRequest(headers: McpMessage['headers']): Request {
  const given = HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  const { accept } = headers
  // The protocol wants both forms of an answer named. Here there is one, which is fine for those that take it, or anything.
  const isTaken = accept === undefined || TAKES_JSON.test(String(accept))
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: isTaken ? [...given, ['accept', 'application/json, text/event-stream']] : given
  })
}
