/** The page in a real browser: Chromium, from CHROMIUM_PATH or the search path. */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openBrowser, skipWithoutBrowser } from '../support/chromium.js'
import { type DebugStory, startDebugStory, tellStory } from '../support/debug-story.js'

/** A loaded machine takes its time to draw. */
const WAIT_MS = 20_000

/** Set to keep pictures of the page in that folder. */
const PICTURES = process.env['PICTURES_FOLDER']

/** The checker's own build, to be put into the page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const WIDTHS = { phone: 390, tablet: 820, desktop: 1440 } as const

const options = { skip: skipWithoutBrowser }

t.test('page: a token, a run that arrives, a session whose chart moves, and nothing that its policy refuses', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const { page, complaints } = await open(t, story.url)
  await page.getByLabel('Token', { exact: true }).fill('not a token')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('alert').filter({ hasText: 'Invalid license' }).waitFor()
  await signIn(page, story)

  await page.locator('[data-part="session:anna"]').click()
  t.equal(await page.locator('[data-part="session:anna"]').getAttribute('aria-selected'), 'true')
  await page.locator('[data-machine="mind"] [data-state="isolation.OPEN"][aria-current="true"]').waitFor()
  await story.caller.put('/v1/session/anna/isolation', { level: 'FILTER' })
  await story.run('anna', 'And the codes for the other account?')
  await page.locator('[data-machine="mind"] [data-state="isolation.FILTER"][aria-current="true"]').waitFor()
  await page.getByText('Turn 7', { exact: true }).waitFor()
  t.ok((await page.locator('.turn meter').count()) > 0, 'candidates show what their scores are made of')
  await page
    .locator('.turn tbody')
    .getByText(/backup codes/i)
    .first()
    .waitFor()
  t.equal(
    await page
      .locator('.turn')
      .getByText(/^[0-9a-f]{12,}$/)
      .count(),
    0,
    'no candidate shows a hash in place of its text'
  )

  await page.getByRole('searchbox', { name: 'Search the memories' }).fill('sourdough')
  await page.keyboard.press('Enter')
  await page
    .locator('.memories')
    .getByText(/sourdough/)
    .first()
    .waitFor()
  await story.run('dora', 'A session that was not there before.')
  await page.locator('[data-part="session:dora"]').waitFor()
  // The browser's own words for the token that was refused.
  t.strictSame([...new Set(complaints)], ['Failed to load resource: the server responded with a status of 401 (Unauthorized)'])
})

t.test('page: by keyboard alone, few steps to any session, and the focus is never lost', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  for (let at = 0; at < 30; at++) await story.run(`session-${at}`, 'A session among many.')
  const { page } = await open(t, story.url)
  t.equal(await focused(page), 'input#token', 'the token first')
  await page.keyboard.type(story.caller.token)
  await page.keyboard.press('Enter')
  await page.getByText('Live', { exact: true }).waitFor()
  t.equal(await focused(page), 'div', 'the dashboard, not the document')
  await page.locator('[data-part="session:anna"]').waitFor()
  let stops = 0
  while ((await focused(page)) !== 'div[listbox]' && stops < 10) {
    await page.keyboard.press('Tab')
    stops += 1
  }
  t.ok(stops <= 6, `${stops} stops to the list`)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'session ben' }).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /storage memory/ }).waitFor()
  await page.getByRole('searchbox', { name: 'Find a part' }).fill('session-17')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'session session-17' }).waitFor()
  await page.getByRole('button', { name: 'Disconnect' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Token', { exact: true }).waitFor()
  t.equal(await focused(page), 'input#token')
})

t.test('page: token kept for the window when asked for, and forgotten on leaving', options, async (t) => {
  const story = await startDebugStory(t)
  const { page } = await open(t, story.url)
  await page.getByLabel('Token', { exact: true }).fill(story.caller.token)
  await page.getByLabel('Keep it until').check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.reload()
  await page.getByLabel('Token', { exact: true }).waitFor()
})

t.test('page: many sessions and long names, at three widths and in both colours, within its edges and accessible', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const long = `${'a-rather-long-identifier-'.repeat(4)}end`
  for (const id of [long, ...Array.from({ length: 45 }, (_, at) => `session-${at}`)]) await story.run(id, 'One of many.')
  await story.caller.post('/v1/cluster/', { cluster_id: 'c-1', name: 'Customers who wrote about their invoices in the last quarter' })
  const { page } = await open(t, story.url)
  await check(t, page, 'sign-in')
  await signIn(page, story)
  for (const [name, width] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width, height: 900 })
    await page.reload()
    await signIn(page, story)
    await page.locator('[data-part="session:anna"]').waitFor()
    const firstBox = await page.locator('.parts').boundingBox()
    t.ok(firstBox !== null && firstBox.y < 900, `${name}: the list is in sight`)
    t.equal(await page.locator('.selection').isVisible(), width > 960, `${name}: no empty box where there is no room for it`)
    await check(t, page, `${name}-empty`)
    await page.locator('[data-part="session:anna"]').click()
    await page.getByText('Turn 6', { exact: true }).waitFor()
    await page.locator('.turn tbody td').first().waitFor()
    t.ok(await page.getByRole('heading', { name: 'session anna' }).isVisible())
    const heading = await page.getByRole('heading', { name: 'session anna' }).boundingBox()
    t.ok(heading !== null && heading.y >= 0 && heading.y < 900, `${name}: the details are in sight`)
    const graph = await page.locator('.graph').boundingBox()
    t.ok(graph !== null && graph.height < 600, `${name}: the overview stays small, ${graph?.height} pixels`)
    await check(t, page, name)
  }
})

/** Nothing wider than the window, no text wider than its box, and no finding of axe, in light and in dark. */
async function check(t: Test, page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (PICTURES !== undefined) await takePicture(page, `${name}-${colorScheme}`)
    t.strictSame(await overflows(page), [], `${name}, ${colorScheme}: nothing leaves its box`)
    t.strictSame(await findingsOf(page), [], `${name}, ${colorScheme}: axe finds nothing`)
  }
}

/** Scripts for the page are text: the compiler checks the tests without a browser's types. */
const OVERFLOWS = `(() => {
  const root = document.documentElement
  const wide = root.scrollWidth > root.clientWidth ? ['page ' + root.scrollWidth + ' > ' + root.clientWidth] : []
  const boxes = [...document.querySelectorAll('h2, h3, p, li, td, b, small, .state-name, button')]
  const isCut = (box) => getComputedStyle(box).overflow === 'hidden' || box.closest('.scroll, svg') !== null
  const out = boxes.filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 && !isCut(box))
  const isOutside = (box) => box.getBoundingClientRect().right > box.closest('.card').getBoundingClientRect().right + 1 && box.closest('.scroll, svg') === null
  out.push(...[...document.querySelectorAll('.card *')].filter((box) => box.getClientRects().length > 0 && isOutside(box)))
  return [...wide, ...out.map((box) => box.tagName + ' ' + box.textContent.slice(0, 60))]
})()`

const FINDINGS = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`

const FOCUSED = `(() => {
  const { tagName, id, role } = document.activeElement
  return tagName.toLowerCase() + (id === '' ? '' : '#' + id) + (role === 'listbox' ? '[listbox]' : '')
})()`

async function overflows(page: Page): Promise<unknown> {
  return page.evaluate(OVERFLOWS)
}

async function findingsOf(page: Page): Promise<unknown> {
  await page.evaluate(AXE)
  return page.evaluate(FINDINGS)
}

async function signIn(page: Page, { caller }: DebugStory): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(caller.token)
  await page.keyboard.press('Enter')
  await page.getByText('Live', { exact: true }).waitFor()
}

/** What has the focus, by its tag, id and role. */
async function focused(page: Page): Promise<unknown> {
  return page.evaluate(FOCUSED)
}

async function open(t: Test, url: string): Promise<{ page: Page; complaints: readonly string[] }> {
  const browser = await openBrowser(t)
  const page = await browser.newPage({ viewport: { width: WIDTHS.desktop, height: 1000 } })
  page.setDefaultTimeout(WAIT_MS)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on(
    'request',
    (request) => request.url().startsWith(url) || request.url().startsWith('data:') || complaints.push(`asked ${request.url()}`)
  )
  await page.goto(`${url}/v1/debug/`)
  return { page, complaints }
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES ?? '', { recursive: true })
  await page.screenshot({ path: join(PICTURES ?? '', `debugger-${name}.png`), fullPage: true })
}
