/** The client in a page of another origin, in a real browser. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { builtClient } from '../support/built.js'
import { newPage, skipWithoutBrowser } from '../support/chromium.js'
import { listen } from '../support/listening-service.js'

/** Script of the page, called with `url` and `token`; it returns what the test checks. */
const SCRIPT = `async ({ url, token }) => {
  const { createEngram, isEngramError } = await import('/client.js')
  const engram = createEngram({ url, token })
  const session = engram.session('page')
  const run = await session.run({ message: 'Hello from a page' })
  await session.store({ response: 'Hello, page' })
  await session.isolation.set({ level: 'OPEN' })
  const texts = []
  for await (const { text } of session.memories.all({ limit: 1 })) texts.push(text)
  const refused = await engram.session('none').metrics().catch((error) => error)
  const first = (await engram.debug.events({ since: 0 }).next()).value.seq
  const deleted = (await session.delete()).deleted
  const moved = await createEngram({ url: location.origin + '/moved', token }).health().catch((error) => error.detail)
  return { moved, turn: run.turn, texts, refused: isEngramError(refused) && refused.kind, first, deleted }
}`

/** Serves an empty page and the client. Resolves with the origin. */
async function startPage(t: Test): Promise<string> {
  const client = await builtClient()
  const server = createServer(({ url }, response) => {
    const isClient = url === '/client.js'
    if (url?.startsWith('/moved/') === true) response.writeHead(307, { location: '/' })
    else response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html')
    response.end(isClient ? client : '<!doctype html><title>Page</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

t.test('a page of an origin that is configured has every kind of call', { skip: skipWithoutBrowser }, async (t) => {
  const origin = await startPage(t)
  const { url, token } = await listen(t, { env: { CORS_ALLOW_ORIGINS: origin, SERVICE_DEBUG_UI: '1', SERVICE_DEBUG_TRACE: '1' } })
  const page = await newPage(t)
  await page.goto(origin)
  const seen: unknown = await page.evaluate(`(${SCRIPT})(${JSON.stringify({ url, token: await token('alice') })})`)
  const moved = 'The service answered with a redirect, which is not followed'
  t.same(seen, { moved, turn: 1, texts: ['Hello from a page', 'Hello, page'], refused: 'not_found', first: 1, deleted: true })
})
