/** A scripted model service on a real socket, and the whole service in front of it. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import type { Test } from 'tap'
import { type Caller, startService } from './real-service.js'

export interface UpstreamCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The raw body. */
  readonly text: string
  readonly response: ServerResponse
  /** Resolves when the call's connection is closed, or its answer complete. */
  readonly closed: Promise<unknown>
}

export interface UpstreamBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly [field: string]: unknown
}

export type Script = (call: UpstreamCall, nth: number) => void

export interface Upstream {
  /** Base URL, which ends in `/v1`. */
  readonly url: string
  readonly calls: UpstreamCall[]
  body(nth: number): UpstreamBody
}

/** `script` answers each call; `nth` counts from 1. Stopped when the test ends. */
export async function startUpstream(t: Test, script: Script): Promise<Upstream> {
  const calls: UpstreamCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const call = { method, path, headers, text: Buffer.concat(chunks).toString(), response, closed: once(response, 'close') }
      calls.push(call)
      script(call, calls.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    body: (nth) => JSON.parse(calls[nth - 1]?.text ?? 'null') as UpstreamBody
  }
}

export const UPSTREAM_KEY = 'upstream-key'

export interface ChatService {
  readonly upstream: Upstream
  /** The official client, without its own retries. */
  readonly client: OpenAI
  readonly alice: Caller
  /** Base URL of the service. */
  readonly url: string
  readonly logs: readonly string[]
  /** Returns the texts of the session's memories with their roles, oldest first. */
  memories(sessionId: string): Promise<string[]>
  /** Sends a chat request without the client; `body` is sent unchanged. */
  post(body: string | object, options?: { headers?: Record<string, string>; signal?: AbortSignal }): Promise<Response>
  close(): Promise<void>
}

/** Starts the whole service, listening, with `script` behind its proxy. */
export async function startChat(t: Test, script: Script, { env = {} }: { env?: Record<string, string> } = {}): Promise<ChatService> {
  const upstream = await startUpstream(t, script)
  const { service, logs, as } = await startService(t, {
    env: { SERVICE_UPSTREAM_URL: `${upstream.url}/`, SERVICE_UPSTREAM_API_KEY: UPSTREAM_KEY, ...env }
  })
  const alice = await as('alice')
  const url = await service.http.listen({ host: '127.0.0.1', port: 0 })
  // After an aborted call the client opens a connection in advance, and the service would wait for its first request.
  t.teardown(() => service.http.server.closeAllConnections())
  const authorization = `Bearer ${alice.token}`
  return {
    upstream,
    client: new OpenAI({ baseURL: `${url}/compat/v1`, apiKey: alice.token, maxRetries: 0 }),
    alice,
    url,
    logs,
    async memories(sessionId) {
      const { status, body } = await alice.get(`/v1/session/${sessionId}/memories`)
      if (status === 404) return []
      return (body['memories'] as { role: string; text: string }[]).map(({ role, text }) => `${role}: ${text}`)
    },
    post: (body, { headers = {}, signal } = {}) =>
      fetch(`${url}/compat/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal !== undefined && { signal })
      }),
    close: () => service.close()
  }
}

/** Returns a complete answer in the format of chat services. */
export function completion(content: string | null, message: object = {}, finishReason = 'stop'): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content, ...message }, finish_reason: finishReason }]
  }
}

export function answer(
  response: ServerResponse,
  body: string | object,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {}
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Returns one event of a streamed answer. */
export function chunk(content: string | null, finishReason: string | null = null, index = 0): string {
  const delta = content === null ? {} : { content }
  return event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index, delta, finish_reason: finishReason }]
  })
}

export function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

export const DONE = 'data: [DONE]\n\n'

export function beginStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
}

/** Returns a streamed answer that consists of these pieces of text. */
export function streamed(pieces: readonly string[]): string {
  return [...pieces.map((piece) => chunk(piece)), chunk(null, 'stop'), DONE].join('')
}
