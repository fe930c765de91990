/** The page in a real browser: Chromium, from CHROMIUM_PATH or the search path. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { openBrowser, skipWithoutBrowser } from '../support/chromium.js'
import { startDebugStory, tellStory } from '../support/debug-story.js'

/** A loaded machine takes its time to draw. */
const WAIT_MS = 20_000

/** Set to keep pictures of the page in that folder. */
const PICTURES = process.env['PICTURES_FOLDER']

const options = { skip: skipWithoutBrowser }

t.test('page: a token, a run that arrives, a session whose chart moves, and nothing that its policy refuses', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const { page, complaints } = await open(t, story.url)
  await page.keyboard.press('Tab')
  await page.getByLabel('Token', { exact: true }).fill('not a token')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('alert').filter({ hasText: 'Invalid license' }).waitFor()
  await page.getByLabel('Token', { exact: true }).fill(story.caller.token)
  await page.keyboard.press('Enter')
  await page.getByText('Live', { exact: true }).waitFor()

  const anna = page.locator('[data-node="session:anna"]')
  await anna.focus()
  await page.keyboard.press('Enter')
  t.equal(await anna.getAttribute('aria-pressed'), 'true')
  await page.locator('[data-machine="isolation"] [data-state="OPEN"][aria-current="true"]').waitFor()
  await story.caller.put('/v1/session/anna/isolation', { level: 'FILTER' })
  await story.run('anna', 'And the codes for the other account?')
  await page.locator('[data-machine="isolation"] [data-state="FILTER"][aria-current="true"]').waitFor()
  await page.getByText('Turn 7', { exact: true }).waitFor()
  t.ok((await page.locator('.turn meter').count()) > 0, 'candidates show what their scores are made of')

  await page.getByRole('searchbox').fill('sourdough')
  await page.keyboard.press('Enter')
  await page.locator('.memories').getByText(/sourdough/).first().waitFor()
  await story.run('dora', 'A session that was not there before.')
  await page.locator('[data-node="session:dora"]').waitFor()
  // The browser's own words for the token that was refused.
  t.strictSame([...new Set(complaints)], ['Failed to load resource: the server responded with a status of 401 (Unauthorized)'])
  if (PICTURES !== undefined) await takePictures(page, PICTURES)
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

async function open(t: Test, url: string): Promise<{ page: Page; complaints: readonly string[] }> {
  const browser = await openBrowser(t)
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
  page.setDefaultTimeout(WAIT_MS)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('request', (request) => request.url().startsWith(url) || request.url().startsWith('data:') || complaints.push(`asked ${request.url()}`))
  await page.goto(`${url}/v1/debug/`)
  return { page, complaints }
}

async function takePictures(page: Page, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.getByRole('searchbox').fill('')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(folder, `debugger-${colorScheme}.png`), fullPage: true })
  }
}
