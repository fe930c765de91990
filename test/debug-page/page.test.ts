/** The page in a real browser: Chromium, from CHROMIUM_PATH or the search path. */
import t from 'tap'
import { skipWithoutBrowser } from '../support/chromium.js'
import { startDebugStory, tellStory } from '../support/debug-story.js'
import { checkPage, focused, openPage, signIn, WIDTHS } from '../support/opened-page.js'

const options = { skip: skipWithoutBrowser }

t.test('page: a token, a run that arrives, a session whose chart moves, and nothing that its policy refuses', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const { page, complaints } = await openPage(t, story.url)
  await page.getByLabel('Token', { exact: true }).fill('not a token')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('alert').filter({ hasText: 'characters that no token has' }).waitFor()
  await page.getByLabel('Token', { exact: true }).fill('not-a-token')
  await page.getByRole('button', { name: 'Connect' }).click()
  // In the form: parts of the dashboard say so too until it is back.
  await page.locator('form').getByRole('alert').filter({ hasText: 'Invalid license' }).waitFor()
  await signIn(page, story.caller)

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
  const { page } = await openPage(t, story.url)
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
  const { page } = await openPage(t, story.url)
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

/** Of the words in an empty field and of the hint below it. */
const WORDS_IN_FIELD = `(() => {
  const of = (element, part) => getComputedStyle(element, part)
  const { color, opacity } = of(document.querySelector('.parts input'), '::placeholder')
  return [color, opacity, of(document.querySelector('.parts .hint')).color]
})()`

t.test('page: what an empty field asks for is as easy to read as a hint, in both colours', options, async (t) => {
  const story = await startDebugStory(t)
  const { page } = await openPage(t, story.url)
  await signIn(page, story.caller)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const [asked, opacity, hint] = await page.evaluate<string[]>(WORDS_IN_FIELD)
    t.strictSame([asked, opacity], [hint, '1'], colorScheme)
  }
})

t.test('page: many sessions and long names, at three widths and in both colours, within its edges and accessible', options, async (t) => {
  const story = await startDebugStory(t)
  await tellStory(story)
  const long = `${'a-rather-long-identifier-'.repeat(4)}end`
  for (const id of [long, ...Array.from({ length: 45 }, (_, at) => `session-${at}`)]) await story.run(id, 'One of many.')
  await story.caller.post('/v1/cluster/', { cluster_id: 'c-1', name: 'Customers who wrote about their invoices in the last quarter' })
  const { page } = await openPage(t, story.url)
  await checkPage(t, page, 'sign-in')
  await signIn(page, story.caller)
  for (const [name, width] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width, height: 900 })
    await page.reload()
    await signIn(page, story.caller)
    await page.locator('[data-part="session:anna"]').waitFor()
    await page.locator('.overview .tile').filter({ hasText: 'Tokens saved' }).waitFor()
    const firstBox = await page.locator('.parts').boundingBox()
    t.ok(firstBox !== null && firstBox.y < 900, `${name}: the list is in sight`)
    for (const figure of ['Sessions', 'Alarms', 'Tokens saved'])
      t.ok(await page.locator('.overview .tile').filter({ hasText: figure }).isVisible(), `${name}: ${figure} at a glance`)
    await checkPage(t, page, `${name}-empty`)
    await page.locator('[data-part="session:anna"]').click()
    await page.getByText('Turn 6', { exact: true }).waitFor()
    await page.locator('.turn tbody td').first().waitFor()
    t.ok(await page.getByRole('heading', { name: 'session anna' }).isVisible())
    const heading = await page.getByRole('heading', { name: 'session anna' }).boundingBox()
    t.ok(heading !== null && heading.y >= 0 && heading.y < 900, `${name}: the details are in sight`)
    const map = await page.locator('.map').boundingBox()
    t.ok(map !== null && map.height < 600, `${name}: the map stays small, ${map?.height} pixels`)
    await checkPage(t, page, name)
  }
})
