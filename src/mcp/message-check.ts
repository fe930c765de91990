/** Refuses invalid messages and invalid parameters in one sentence, where the library would answer with a dump or not at all. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type RequestId
} from '@modelcontextprotocol/sdk/types.js'

/** JSON-RPC 2.0, 5: the id is null if that of the request is unknown. */
export interface Refusal {
  readonly jsonrpc: '2.0'
  readonly id: RequestId | null
  readonly error: { readonly code: number; readonly message: string }
}

interface Checked {
  safeParse(message: unknown): {
    readonly success: boolean
    readonly error?: { readonly issues: readonly { readonly path: PropertyKey[] }[] }
  }
}

const REQUESTS: ReadonlyMap<string, Checked> = new Map<string, Checked>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/templates/list', ListResourceTemplatesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
  ['prompts/list', ListPromptsRequestSchema],
  ['prompts/get', GetPromptRequestSchema],
  ['completion/complete', CompleteRequestSchema]
])

export function noJson(): Refusal {
  return refusal(null, ErrorCode.ParseError, 'Parse error: the message is not JSON')
}

export function noMessage(): Refusal {
  return refusal(null, ErrorCode.InvalidRequest, 'Invalid request: this is not a JSON-RPC 2.0 message')
}

export function isMessage(value: unknown): boolean {
  return JSONRPCMessageSchema.safeParse(value).success
}

/** Wraps a transport: `receive` gets each message, and `pass` hands it to the server. */
export function received(inner: Transport, receive: (message: JSONRPCMessage, pass: () => void, outer: Transport) => void): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    send: (message, options) => inner.send(message, options),
    close: () => inner.close()
  }
  inner.onmessage = (message, extra) => receive(message, () => outer.onmessage?.(message, extra), outer)
  inner.onerror = (error) => outer.onerror?.(error)
  inner.onclose = () => outer.onclose?.()
  return outer
}

/** Wraps a transport: only requests with valid parameters reach the server, and the others are answered here. */
export function withCheckedRequests(inner: Transport): Transport {
  return received(inner, (message, pass, outer) => {
    const wrong = refusalOf(message)
    if (wrong === null) pass()
    else inner.send(wrong as JSONRPCMessage).catch((error: unknown) => outer.onerror?.(error as Error))
  })
}

/** Returns null for a message that the server has to answer, including one with an unknown method. */
function refusalOf(message: JSONRPCMessage): Refusal | null {
  if (!('method' in message && 'id' in message)) return null
  const { error } = REQUESTS.get(message.method)?.safeParse(message) ?? {}
  if (error === undefined) return null
  const [issue] = error.issues
  const field = issue?.path.map(String).join('.') ?? ''
  return refusal(message.id, ErrorCode.InvalidParams, `${field === '' ? 'params' : field} of ${message.method} is missing or invalid`)
}

function refusal(id: RequestId | null, code: number, message: string): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
