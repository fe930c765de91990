/** Legibility for everybody: long texts, other scripts, forced colours, times, and what screen readers announce. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { skipWithoutBrowser } from '../support/chromium.js'
import { startDebugStory, tellStory } from '../support/debug-story.js'
import { checkPage, openPage, signIn } from '../support/opened-page.js'

const options = { skip: skipWithoutBrowser }

async function backgroundOf(page: Page, selector: string): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`)
}

t.test('dashboard: of a long text the beginning until all is asked for, each script in its direction, no pair cut', options, async (t) => {
  const story = await startDebugStory(t)
  const { caller } = story
  await caller.post('/v1/session/create', { session_id: 'notes' })
  const long = 'Many words: '.repeat(5_000)
  const hebrew = 'שלום, איך אפשר להפעיל אימות? (a@example.org)'
  const emoji = `a${'🔥'.repeat(400)}`
  await caller.post('/v1/session/notes/memories', { memories: [long, hebrew, emoji].map((text) => ({ text })) })
  const { page, complaints } = await openPage(t, story.url)
  await signIn(page, caller)
  await page.locator('[data-part="session:notes"]').click()
  const rowOf = (words: string) => page.locator('[data-memory]').filter({ hasText: words })
  await rowOf('Many words:').waitFor()
  t.ok(((await rowOf('Many words:').locator('p').textContent()) ?? '').length < 2_100)
  await rowOf('Many words:')
    .getByRole('button', { name: /Show all 60,000 characters/ })
    .click()
  t.equal((await rowOf('Many words:').locator('p').textContent())?.trim(), long.trim())
  await rowOf('Many words:').getByRole('button', { name: 'Show the beginning' }).click()
  const directions = await page.evaluate(
    "[...document.querySelectorAll('[data-memory] > p')].map((p) => getComputedStyle(p).direction).sort()"
  )
  t.strictSame(directions, ['ltr', 'ltr', 'rtl'])
  await rowOf('🔥').getByRole('button', { name: 'Delete' }).click()
  t.ok((await page.getByRole('dialog').locator('blockquote').textContent())?.endsWith('🔥…'))
  await page.keyboard.press('Escape')
  const { body } = await caller.get('/v1/session/notes/memories')
  for (const { memory_hash: hash } of body['memories'] as { memory_hash: string }[]) await page.getByText(hash, { exact: true }).waitFor()
  await checkPage(t, page, 'long')
  t.strictSame(complaints, [])
})

t.test('dashboard: in forced colours what is chosen, and how things are, is seen', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const { page } = await openPage(t, story.url)
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn(page, story.caller)
  await page.locator('[data-part="session:anna"]').click()
  await page.locator('[data-part="session:anna"][aria-selected="true"]').waitFor()
  t.not(await backgroundOf(page, '.row[aria-selected="true"]'), await backgroundOf(page, '.row[aria-selected="false"]'))
  t.not(await backgroundOf(page, '.part[aria-pressed="true"]'), await backgroundOf(page, '.part[aria-pressed="false"]'))
  t.not(await backgroundOf(page, '.mood-good .bulb'), await backgroundOf(page, '.mood-off .bulb'))
})

t.test('dashboard: every time names its zone and its moment, and a part whose name is not its id shows that', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const { body } = await story.caller.post('/v1/region/', { name: 'Süden' })
  const { page } = await openPage(t, story.url)
  await signIn(page, story.caller)
  await page.locator('[data-part="session:anna"]').click()
  await page.locator('[data-memory] time').first().waitFor()
  const times = await page.evaluate<[string, string][]>(
    "[...document.querySelectorAll('time')].map((one) => [one.dateTime, one.textContent])"
  )
  t.ok(times.length > 10)
  for (const [moment, words] of times) {
    t.match(moment, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    t.match(words, /(UTC|GMT|[A-Z]{3,5})[+\d:-]*$/)
  }
  await page.locator(`[data-part="region:${String(body['region_id'])}"]`).click()
  await page.getByRole('heading', { name: 'region Süden' }).waitFor()
  await page.locator('.selection').getByText(String(body['region_id']), { exact: true }).waitFor()
})

t.test('dashboard: what somebody looked for is read aloud, and not that sessions come', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const { page } = await openPage(t, story.url)
  await signIn(page, story.caller)
  const aloud = page.locator('.parts').getByRole('status')
  await story.run('dora', 'A session that was not there before.')
  await page.locator('[data-part="session:dora"]').waitFor()
  t.equal(await aloud.textContent(), '')
  await page.getByRole('searchbox', { name: 'Find a part' }).fill('dora')
  await aloud.filter({ hasText: '1 part found' }).waitFor()
})

t.test('dashboard: drift is told by shapes and in a table, not by colours alone', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const { page } = await openPage(t, story.url)
  await signIn(page, story.caller)
  await page.locator('[data-part="session:anna"]').click()
  await page.getByText('Drift as a table').click()
  t.equal(await page.locator('.drifts tbody tr').count(), 6)
  const shapes = await page.evaluate<[string, string][]>(
    "[...document.querySelectorAll('.drift path')].map((path) => [path.className.baseVal, path.getAttribute('d')])"
  )
  t.equal(shapes.length, 6 + 3, 'of each turn, and of each phase in the legend')
  const shapeOf = new Map(shapes)
  t.equal(new Set(shapeOf.values()).size, shapeOf.size, 'a phase has a shape of its own')
})
