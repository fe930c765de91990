/** Answers one message over streamable HTTP. Nothing is kept between two messages, so any node can answer any of them. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { HttpProblem } from '../http/contract/problem.js'
import { isMessage, noJson, noMessage, type Refusal, withCheckedRequests } from './message-check.js'
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
}

export interface McpAnswer {
  readonly status: number
  readonly contentType: string | null
  /** Empty if there is nothing to answer. */
  readonly body: string
}

/** Answers a message. Rejects with HttpProblem 400 when the client goes away, which nobody receives. */
export async function answerMessage({ body, headers, signal }: McpMessage, options: McpOptions): Promise<McpAnswer> {
  // A batch that is too long is left for the library to refuse.
  const isReadable = Array.isArray(body) ? body.length > 0 && (body.length > BATCH_MAX || body.every(isMessage)) : isMessage(body)
  if (!isReadable) return refusedWith(noMessage())
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(options)
  await server.connect(withCheckedRequests(transport))
  const gone = new Promise<never>((_resolve, reject) => {
    const leave = (): void => reject(new HttpProblem(400, 'The connection was closed'))
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
  try {
    const response = await Promise.race([transport.handleRequest(toRequest(headers), { parsedBody: body }), gone])
    return { status: response.status, contentType: response.headers.get('content-type'), body: await response.text() }
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
  return { status: 400, contentType: 'application/json', body: JSON.stringify(refusal) }
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
