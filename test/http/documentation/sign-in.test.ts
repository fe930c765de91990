/** The pages of the documentation for a browser without a token, by injected requests and in Chromium. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { newPage, skipWithoutBrowser } from '../../support/chromium.js'
import { startService } from '../../support/real-service.js'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
/** Time limit in milliseconds: a busy machine renders slowly. */
const WAIT_MS = 60_000
const PICTURES = process.env['PICTURES_FOLDER']
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Selector of something from the schema that each page shows. */
const VIEWS = { '/docs': '.opblock-summary', '/redoc': '[data-section-id]' } as const

const GROUND = 'getComputedStyle(document.body).backgroundColor'
const GROUNDS = { light: 'rgb(244, 245, 248)', dark: 'rgb(18, 20, 27)' } as const

interface Findings {
  readonly violations: readonly { readonly id: string; readonly impact: string }[]
}

/** Opens a page. `complaints` collects its errors. */
async function openPage(t: Test, url: string, colorScheme: keyof typeof GROUNDS): Promise<{ page: Page; complaints: readonly string[] }> {
  const page = await newPage(t, { colorScheme })
  page.setDefaultTimeout(WAIT_MS)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  return { page, complaints }
}

for (const url of Object.keys(VIEWS)) {
  t.test(`${url}: without a token, 401 as a form for browsers and as JSON for everybody else`, async (t) => {
    const { service } = await startService(t)
    const page = await service.http.inject({ url, headers: { accept: BROWSER } })
    t.equal(page.statusCode, 401)
    t.match(page.headers, { 'content-type': /^text\/html/, 'www-authenticate': 'Bearer', 'cache-control': 'no-store', vary: /Accept/ })
    t.notMatch(page.body, /\/v1\/|SessionId|swagger/, 'nothing of the schema')
    t.ok(page.body.length < 10_000, `${page.body.length} characters`)
    const policy = String(page.headers['content-security-policy'])
    const scripts = [...page.body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => String(match[1]))
    t.equal(scripts.length, 1)
    t.match(
      policy,
      createHash('sha256')
        .update(scripts[0] ?? '')
        .digest('base64')
    )
    t.notMatch(policy, /unsafe-eval|https?:|script-src[^;]*unsafe/)
    for (const accept of ['*/*', 'application/json', undefined]) {
      const answer = await service.http.inject({ url, headers: accept === undefined ? {} : { accept } })
      t.equal(answer.statusCode, 401)
      t.strictSame(answer.json(), { detail: 'Missing license token' })
    }
    const refused = await service.http.inject({ url, headers: { accept: BROWSER, authorization: 'Bearer x' } })
    t.match(refused.json(), { detail: /^Invalid license/ }, 'a token that is refused, in JSON')
  })
}

t.test(
  'documentation: in both colours, a token shows it and tries it out, and no policy is broken',
  { skip: skipWithoutBrowser },
  async (t) => {
    const { service, as } = await startService(t)
    const { token } = await as('alice')
    const address = await service.http.listen({ host: '127.0.0.1', port: 0 })
    for (const [url, shown] of Object.entries(VIEWS)) {
      const { page, complaints } = await openPage(t, address + url, 'light')
      /** Runs the check in both colour schemes; last in light, which is the initial one. */
      const inBoth = async (name: string, check: (colorScheme: keyof typeof GROUNDS) => Promise<void>) => {
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme })
          await check(colorScheme)
          if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${url.slice(1)}-${colorScheme}-${name}.png`) })
        }
      }
      await page.evaluate(AXE)
      await inBoth('sign-in', async (colorScheme) => {
        const { violations } = await page.evaluate<Findings>("axe.run({ resultTypes: ['violations'] })")
        t.strictSame(violations, [], `${url} ${colorScheme}: accessible`)
      })
      await page.getByLabel('Token', { exact: true }).fill('not a token')
      await page.getByRole('button').click()
      await page.getByRole('alert').filter({ hasText: 'Invalid license' }).waitFor()
      await page.getByLabel('Token', { exact: true }).fill(token)
      await page.getByRole('button').click()
      await page.locator(shown).first().waitFor()
      await inBoth('shown', async (colorScheme) => {
        t.equal(await page.evaluate<string>(GROUND), GROUNDS[colorScheme], `${url} ${colorScheme}`)
      })
      t.equal(await page.evaluate<number>('sessionStorage.length'), 0, 'the token is not kept')
      if (url === '/docs') {
        await page.locator('#operations-sessions-list_sessions, [id$="-sessions"]').first().waitFor({ state: 'attached' })
        await page.locator('.opblock-summary-path[data-path="/v1/sessions"]').click()
        await page.getByRole('button', { name: 'Try it out' }).click()
        const answered = page.waitForResponse((response) => response.url().includes('/v1/sessions'))
        await page.getByRole('button', { name: 'Execute' }).click()
        t.equal((await answered).status(), 200, 'tried out with the token')
      }
      t.strictSame(
        complaints.filter((text) => !text.includes('401 (Unauthorized)')),
        [],
        `${url}: complaints`
      )
      await page.close()
    }
  }
)

/** Contrast below which a text is hard to read; axe demands 4.5, which Redoc misses in its own colours as well. */
const CONTRAST_MIN = 3

interface Contrasts {
  readonly violations: readonly {
    readonly nodes: readonly { readonly any: readonly { readonly data: { readonly contrastRatio: number } }[] }[]
  }[]
}

t.test('documentation: a reader who needs no token sees it in dark colours, too', { skip: skipWithoutBrowser }, async (t) => {
  const { service } = await startService(t, { env: { SERVICE_ALLOW_ANONYMOUS: '1' } })
  const address = await service.http.listen({ host: '127.0.0.1', port: 0 })
  for (const [url, shown] of Object.entries(VIEWS)) {
    const { page, complaints } = await openPage(t, address + url, 'dark')
    await page.locator(shown).first().waitFor()
    t.equal(await page.evaluate<string>(GROUND), GROUNDS.dark)
    await page.evaluate(AXE)
    const { violations } = await page.evaluate<Contrasts>("axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] })")
    const ratios = violations.flatMap(({ nodes }) => nodes.map(({ any }) => any[0]?.data.contrastRatio ?? 0))
    t.strictSame(
      ratios.filter((ratio) => ratio < CONTRAST_MIN),
      [],
      `${url}: readable`
    )
    t.strictSame(complaints, [], `${url}: complaints`)
    await page.close()
  }
})
