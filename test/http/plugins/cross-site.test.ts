/** Pages of other sites can do nothing to a service without licences, as far as browsers identify them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { newPage, skipWithoutBrowser } from '../../support/chromium.js'
import { createRig } from '../../support/http-rig.js'
import { startService } from '../../support/real-service.js'

type Headers = Readonly<Record<string, string>>

const EFFECT = { method: 'POST', url: '/v1/observer/sample' } as const
const READ = { method: 'GET', url: '/v1/state/context?session_id=s' } as const

/** Starts a rig with these origins. Returns a function that sends a request and resolves with its status. */
async function start(t: Test, { anonymous = true, corsOrigins = [] as readonly string[] } = {}) {
  const rig = await createRig({ anonymous, config: { corsOrigins } })
  return async (request: { method: 'GET' | 'POST' | 'HEAD' | 'DELETE' | 'PUT'; url: string; payload?: string }, headers: Headers) => {
    const { status, body } = await rig.call({ ...request, headers: { host: 'localhost:8000', ...headers } })
    if (status === 403) t.match(body, { detail: /CORS_ALLOW_ORIGINS/ })
    return status
  }
}

const FOREIGN: readonly Headers[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'http://localhost' },
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
  { origin: 'http://localhost:8000.evil.example' },
  { origin: 'http://localhost:8000@evil.example' },
  { origin: 'http://localhost:8000, http://evil.example' },
  { origin: 'chrome-extension://localhost:8000' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  { 'sec-fetch-site': 'anything else' }
]

const OWN: readonly Headers[] = [
  {},
  { origin: 'http://localhost:8000' },
  { origin: 'https://LOCALHOST:8000', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }
]

t.test("anonymous service: refuses whatever comes from another site's page, with and without a body", async (t) => {
  const ask = await start(t)
  for (const headers of FOREIGN) {
    const shown = JSON.stringify(headers)
    t.equal(await ask(EFFECT, headers), 403, shown)
    t.equal(await ask(READ, headers), 403, shown)
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      t.equal(
        await ask({ method: 'POST', url: '/v1/run', payload: '{"message":"x"}' }, { ...headers, 'content-type': type }),
        403,
        `${shown} ${type}`
      )
    }
    t.equal(await ask({ method: 'DELETE', url: '/v1/session/s' }, headers), 403, shown)
    t.equal(await ask({ method: 'GET', url: '/nowhere' }, headers), 403, shown)
  }
})

t.test('an anonymous service takes what comes from its own pages, and from no browser', async (t) => {
  const ask = await start(t)
  for (const headers of OWN) {
    const json = { ...headers, 'content-type': 'application/json' }
    t.equal(await ask({ method: 'POST', url: '/v1/run', payload: '{"message":"x"}' }, json), 200, JSON.stringify(headers))
    t.equal(await ask(READ, headers), 404, 'no such session')
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    t.equal(await ask({ method: 'POST', url: '/v1/run', payload: '{"message":"x"}' }, { 'content-type': type }), 415, type)
  }
})

t.test('anonymous service: a link on another site may open a page, not frame it, and nothing that is no page', async (t) => {
  const ask = await start(t)
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  for (const url of ['/docs', '/redoc']) {
    t.equal(await ask({ method: 'GET', url }, link), 200, url)
    t.equal(await ask({ method: 'GET', url }, { ...link, 'sec-fetch-dest': 'iframe' }), 403, url)
    t.equal(await ask({ method: 'GET', url }, { ...link, 'sec-fetch-mode': 'no-cors' }), 403, url)
  }
  t.equal(await ask(READ, link), 403)
})

t.test('anonymous service: origins of CORS_ALLOW_ORIGINS may, as they are listed', async (t) => {
  const listed = await start(t, { corsOrigins: ['https://app.example'] })
  t.not(await listed(EFFECT, { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }), 403)
  for (const headers of FOREIGN) t.equal(await listed(EFFECT, headers), 403, JSON.stringify(headers))
  const any = await start(t, { corsOrigins: ['*'] })
  for (const headers of FOREIGN) t.not(await any(EFFECT, headers), 403, JSON.stringify(headers))
})

t.test('a licensed service leaves it to the token, which no other page can add', async (t) => {
  const ask = await start(t, { anonymous: false })
  for (const headers of FOREIGN) {
    t.not(await ask(EFFECT, headers), 403)
    t.equal(await ask(EFFECT, { ...headers, authorization: '' }), 401)
  }
})

/** A page of another site, which tries what needs no preflight; and the same from a name that was made to resolve to the service. */
t.test(
  'a real browser: neither another site nor a name made to lead here reads or changes anything',
  { skip: skipWithoutBrowser },
  async (t) => {
    const { service } = await startService(t, { env: { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_PORT: '0' } })
    const own = new URL(await service.listen())
    const json = { 'content-type': 'application/json' }
    await fetch(new URL('/v1/run', own), {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ session_id: 'diary', message: 'The key lies under the mat.' })
    })
    const before = await metricsOf(own)
    const site = await startSite(t)
    const page = await newPage(t)
    for (const origin of [`http://evil.example:${site}`, `http://localhost:${site}`]) {
      await page.goto(origin)
      await attack(page, own.origin)
    }
    t.strictSame(await metricsOf(own), before, 'nothing was changed, and no use counted')
    const rebound = await page.goto(`http://evil.example:${own.port}/v1/state/context?session_id=diary`)
    t.equal(rebound?.status(), 421)
    t.notMatch(await page.content(), 'under the mat')
    await page.goto(`${own.origin}/docs`)
    const seen = await page.evaluate(async () => (await fetch('/v1/state/context?session_id=diary')).text())
    t.match(seen, 'under the mat', 'its own page reads it')
  }
)

async function attack(page: Page, target: string): Promise<void> {
  await page.evaluate(async (target) => {
    const form = new URLSearchParams({ message: 'x' })
    for (const [path, body] of [
      ['session/diary/isolation/release', undefined],
      ['run', '{"session_id":"diary","message":"x"}'],
      ['run', form]
    ] as const) {
      await fetch(`${target}/v1/${path}`, { method: 'POST', mode: 'no-cors', ...(body !== undefined && { body }) }).catch(() => undefined)
    }
    await fetch(`${target}/v1/state/context?session_id=diary`, { mode: 'no-cors' }).catch(() => undefined)
    await fetch(`${target}/v1/session/diary`, { method: 'DELETE' }).catch(() => undefined)
  }, target)
  // Requested as an image; waits until that has failed.
  await page.setContent(`<img src="${target}/v1/state/context?session_id=diary">`)
}

async function metricsOf(base: URL): Promise<Readonly<Record<string, unknown>>> {
  const metrics = (await (await fetch(new URL('/v1/metrics/diary', base))).json()) as Record<string, unknown>
  const memories = await (await fetch(new URL('/v1/session/diary/memories', base))).json()
  return { ...metrics, memories }
}

/** Serves the pages of a site. Resolves with the port. */
async function startSite(t: Test): Promise<string> {
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title>'))
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.teardown(() => void site.close())
  return String((site.address() as AddressInfo).port)
}
