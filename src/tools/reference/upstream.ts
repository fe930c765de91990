/** A model service with a constant answer, for the chat proxy. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const CREATED = 1_777_885_200

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: CREATED,
  model: 'any',
  choices: [{ index: 0, message: { role: 'assistant', content: 'To Lisbon.' }, finish_reason: 'stop' }]
}

const MODELS = { object: 'list', data: [{ id: 'any', object: 'model', created: CREATED, owned_by: 'you' }] }

export interface Upstream {
  /** Base URL, which ends in `/v1`. */
  readonly url: string
  close(): Promise<void>
}

/** Listens on a free port of loopback. */
export async function startUpstream(): Promise<Upstream> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(request.method === 'GET' ? MODELS : COMPLETION))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
