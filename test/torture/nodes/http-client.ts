/** Sends HTTP requests and tells what can be known of each from outside. */
import { Agent, type IncomingMessage, request } from 'node:http'

/** `unheard`: nobody listened, so the request was certainly not delivered. `silent`: no answer, outcome unknown. */
export type Reply = { readonly status: number; readonly body: unknown } | 'unheard' | 'silent'

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
}

export interface HttpClient {
  /** Sends a request. `url`: base URL of a node. Never rejects. */
  send(url: string, ask: Ask): Promise<Reply>
  close(): void
}

/** `patienceMs`: time limit of a request. Connections are kept alive and shared, as in a load balancer. */
export function createHttpClient({ patienceMs }: { readonly patienceMs: number }): HttpClient {
  const agent = new Agent({ keepAlive: true })
  return {
    send: (url, { method, path, body }) =>
      new Promise((resolve) => {
        const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
        const headers = payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': payload.length }
        const sent = request(new URL(path, url), { method, headers, agent }, (response) => {
          readBody(response).then(
            (text) => resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) }),
            () => resolve('silent')
          )
        })
        const timer = setTimeout(() => sent.destroy(), patienceMs)
        sent.once('close', () => clearTimeout(timer))
        sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'unheard' : 'silent'))
        sent.end(payload)
      }),
    close: () => agent.destroy()
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
