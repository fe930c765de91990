/** Redirects: neither token nor text goes to a place that the caller did not name, and nothing from there is taken for an answer. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createEngram, type Engram } from '../../src/client/engram.js'

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

/** One call of each way in which the client asks. */
const CALLS: Record<string, (engram: Engram) => Promise<unknown>> = {
  'a call with a body': (engram) => engram.run({ message: 'private words' }),
  'a call without one': (engram) => engram.sessions.list(),
  'a stream': (engram) => engram.chat.stream({ model: 'any', messages: [{ role: 'user', content: 'private words' }] }),
  'an export': (engram) => engram.session('s').exportBytes()
}

for (const status of [301, 302, 303, 307, 308]) {
  t.test(`a redirect with ${String(status)} is not followed, and is an error`, async (t) => {
    let elsewhere = 0
    const other = await serve(t, (_request, response) => {
      elsewhere += 1
      response.setHeader('content-type', 'application/json').end('{"session_id":"s","context":"planted","sessions":[],"next":null}')
    })
    const url = await serve(t, (request, response) => {
      request.resume()
      response.writeHead(status, { location: `${other}${request.url ?? ''}` }).end('moved')
    })
    const engram = createEngram({ url, token: 'header.claims.signature', retries: 0 })
    for (const [name, call] of Object.entries(CALLS))
      await t.rejects(call(engram), { name: 'EngramError', kind: 'unexpected', detail: /redirect/ }, name)
    t.equal(elsewhere, 0)
  })
}
