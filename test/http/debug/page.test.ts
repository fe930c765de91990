import { join } from 'node:path'
import t from 'tap'
import { builtPage } from '../../support/built.js'
import { startService } from '../../support/real-service.js'

/** Most bytes of the script, uncompressed: little enough for a phone to load quickly. */
const SCRIPT_BYTES_MAX = 150_000

const folder = await builtPage()

const FILES = [
  { url: '/v1/debug/', type: 'text/html; charset=utf-8' },
  { url: '/v1/debug/page.js', type: 'text/javascript; charset=utf-8' },
  { url: '/v1/debug/day-plot.js', type: 'text/javascript; charset=utf-8' },
  { url: '/v1/debug/page.css', type: 'text/css; charset=utf-8' }
]

t.test('page: with the flag, its files without a licence, under a policy that lets in nothing from elsewhere', async (t) => {
  const { service } = await startService(t, { env: { SERVICE_DEBUG_UI: '1' }, overrides: { debugPageFolder: folder } })
  for (const { url, type } of FILES) {
    const { statusCode, headers, body } = await service.http.inject({ url })
    t.equal(statusCode, 200, url)
    t.equal(headers['content-type'], type)
    t.equal(headers['cache-control'], 'no-cache')
    t.match(headers, { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    t.match(headers['content-security-policy'], /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; /)
    t.notMatch(headers['content-security-policy'], /unsafe|http|\*/)
    t.notMatch(body, /(src|href|action)=["']?(https?:)?\/\/|@import|url\(/, 'asks no other host')
    const again = await service.http.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    t.equal(again.statusCode, 304)
    t.equal(again.body, '')
  }
  const { body } = await service.http.inject({ url: '/v1/debug/' })
  t.notMatch(body, /<script(?![^>]* src=)|<style|style=/, 'nothing inline')
  t.ok(Buffer.byteLength((await service.http.inject({ url: '/v1/debug/page.js' })).body) < SCRIPT_BYTES_MAX)
})

t.test('page: a file that it does not have, not found, whatever lies beside it', async (t) => {
  const { service } = await startService(t, { env: { SERVICE_DEBUG_UI: '1' }, overrides: { debugPageFolder: folder } })
  for (const url of ['/v1/debug/main.ts', '/v1/debug/../../package.json', '/v1/debug/%2e%2e/package.json', '/v1/debug/index.html']) {
    t.equal((await service.http.inject({ url })).statusCode, 404, url)
  }
})

t.test('page: not built, 404 with a hint, and the routes beside it work', async (t) => {
  const { as } = await startService(t, { env: { SERVICE_DEBUG_UI: '1' }, overrides: { debugPageFolder: join(folder, 'missing') } })
  const ann = await as('ann')
  t.match(await ann.get('/v1/debug/'), { status: 404, body: { detail: /npm run build/ } })
  t.equal((await ann.get('/v1/debug/topology')).status, 200)
})

t.test('page: without the flag, not there', async (t) => {
  const { as } = await startService(t, { overrides: { debugPageFolder: folder } })
  const ann = await as('ann')
  for (const { url } of FILES) t.equal((await ann.get(url)).status, 404, url)
})
