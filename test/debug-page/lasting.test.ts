/** The dashboard over time: views that come back, a service that goes away, and another licence in the same window. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { skipWithoutBrowser } from '../support/chromium.js'
import { startDebugStory, tellStory } from '../support/debug-story.js'
import { focused, openPage, signIn } from '../support/opened-page.js'

const options = { skip: skipWithoutBrowser }

async function isShown(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { name: title, exact: true }).waitFor()
}

/** Expression for all that a window keeps of a page, as JSON. */
const KEPT = 'JSON.stringify([history.state, location.href, { ...sessionStorage }, { ...localStorage }, document.cookie])'

t.test(
  'dashboard: back, forward and a reload lead to what was looked at, and nothing of it is left to the next licence',
  options,
  async (t) => {
    const story = await startDebugStory(t)
    await tellStory(story)
    const { page, complaints } = await openPage(t, story.url)
    await page.getByLabel('Keep it until').check()
    await signIn(page, story.caller)
    await page.locator('[data-part="session:anna"]').click()
    await isShown(page, 'session anna')
    await page.locator('[data-part="cluster:travel"]').click()
    await isShown(page, 'cluster travel')
    t.notMatch(await page.evaluate('JSON.stringify(history.state) + location.href'), /anna|travel/, 'history holds no id')
    await page.goBack()
    await isShown(page, 'session anna')
    await page.reload()
    await isShown(page, 'session anna')
    await page.goForward()
    await isShown(page, 'cluster travel')
    await page.getByRole('button', { name: 'Overview' }).focus()
    await page.keyboard.press('Enter')
    await isShown(page, 'Overview')
    t.equal(await focused(page), 'h2#selection-title', 'the focus is not lost with the button')
    await page.goBack()
    await isShown(page, 'cluster travel')
    t.strictSame(complaints, [])

    await page.getByRole('button', { name: 'Disconnect' }).click()
    t.notMatch(await page.evaluate<string>(KEPT), new RegExp(`anna|travel|${story.caller.token}`))
    await signIn(page, await story.as('mallory'))
    await isShown(page, 'Overview')
    await page.goBack()
    await page.getByText('No session yet.').waitFor()
    await isShown(page, 'Overview')
    t.notMatch(await page.content(), /anna|travel/)
  }
)

t.test('dashboard: the chosen colours stay for the window', options, async (t) => {
  const story = await startDebugStory(t)
  const { page } = await openPage(t, story.url)
  await page.getByLabel('Colours').selectOption('dark')
  await page.locator('html[data-theme="dark"]').waitFor()
  await page.reload()
  t.equal(await page.getByLabel('Colours').inputValue(), 'dark')
  t.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
})

t.test('dashboard: a service that is gone is not shown as healthy, and is told of once', options, async (t) => {
  const story = await startDebugStory(t)
  await story.run('anna', 'Where is the key?')
  const { page } = await openPage(t, story.url)
  await signIn(page, story.caller)
  await page.locator('[data-part="session:anna"]').click()
  await page.locator('.lamps .mood-good').first().waitFor()
  await story.close()
  await page.getByText(/Connection lost.*all is shown as of \d/).waitFor()
  await page.locator('.summary').getByText('The service does not answer.').waitFor()
  await page.locator('.health').getByText('The service does not answer.').waitFor()
  t.equal(await page.locator('.lamps').count(), 0, 'no lamp says how it was')
  t.equal(await page.getByRole('alert').count(), 0, 'the connection has told it already')
})

t.test('dashboard: a service that has no time at first is asked again, and the token stays', options, async (t) => {
  const story = await startDebugStory(t)
  await story.run('anna', 'Where is the key?')
  const { page } = await openPage(t, story.url)
  await page.route('**/v1/debug/machines', (route) => route.fulfill({ status: 503, json: { detail: 'The node is draining' } }))
  await page.getByLabel('Token', { exact: true }).fill(story.caller.token)
  await page.keyboard.press('Enter')
  await page.getByText('Connection lost, trying again').waitFor()
  await page.unroute('**/v1/debug/machines')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.locator('[data-part="session:anna"]').waitFor()
})
