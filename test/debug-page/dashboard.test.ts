/** What an operator does with the dashboard, in a real browser. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { month } from '../../examples/conversation/month.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { skipWithoutBrowser } from '../support/chromium.js'
import { type DebugStory, startDebugStory, tellStory } from '../support/debug-story.js'
import { checkPage, focused, keepView, openPage, signIn, WIDTHS } from '../support/opened-page.js'

const options = { skip: skipWithoutBrowser }

const NOTES = '/v1/session/notes/memories'
const SCRIPT = '<script>document.title = "taken"</script><img src=x onerror="document.title = \'taken\'">'

async function giveNotes({ caller }: DebugStory, texts: readonly string[]): Promise<void> {
  await caller.post('/v1/session/create', { session_id: 'notes' })
  await caller.post(NOTES, { memories: texts.map((text) => ({ text })) })
}

async function openSession(page: Page, id: string): Promise<void> {
  await page.locator(`[data-part="session:${id}"]`).click()
  await page.getByRole('heading', { name: `session ${id}` }).waitFor()
}

function rowOf(page: Page, text: string): Locator {
  return page.locator('[data-memory]').filter({ hasText: text })
}

t.test('dashboard: a memory is pinned, weighed, searched for, exported, and deleted once that was confirmed', options, async (t) => {
  const story = await startDebugStory(t)
  await giveNotes(story, ['Anna is allergic to penicillin.', 'The bins go out on Monday.', 'The lease ends in June.'])
  const { page, complaints } = await openPage(t, story.url)
  await signIn(page, story.caller)
  await openSession(page, 'notes')
  const allergy = rowOf(page, 'penicillin')
  await allergy.getByRole('button', { name: 'Pin' }).click()
  await allergy.locator('[aria-pressed="true"]').waitFor()
  await allergy.getByRole('button', { name: 'Importance' }).click()
  const weight = allergy.getByLabel('Importance, from 0')
  await weight.fill('2.5')
  await weight.press('Enter')
  await allergy.getByText('importance 2.50').waitFor()
  const hash = (await allergy.getAttribute('data-memory')) ?? ''
  t.match((await story.caller.get(`${NOTES}/${hash}`)).body, { pinned: true, importance: 2.5 })

  await page.getByRole('searchbox', { name: 'Search the memories' }).fill('When does the lease end?')
  await page.keyboard.press('Enter')
  await page.getByText(/found, best first/).waitFor()
  await rowOf(page, 'lease').getByText(/score/).waitFor()
  await page.getByRole('searchbox', { name: 'Search the memories' }).fill('')
  await page.getByText('Page 1, oldest first.').waitFor()

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  t.equal(download.suggestedFilename(), 'notes.json')
  const exported = JSON.parse(await readFile(await download.path(), 'utf8')) as { state_dict: { memory_count: number; version: number } }
  t.match(exported.state_dict, { memory_count: 3, version: 2 })

  const bins = rowOf(page, 'bins')
  await bins.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The bins go out on Monday.').waitFor()
  t.equal(await focused(page), 'button', 'the focus is in the question')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.equal((await story.caller.get(NOTES)).body['memories'] instanceof Array && (await page.locator('[data-memory]').count()), 3)
  await bins.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await bins.waitFor({ state: 'detached' })
  t.equal(await focused(page), 'ul', 'the focus is in the list, not lost')
  t.match((await story.caller.get('/v1/metrics/notes')).body, { total_memories: 2 })
  t.strictSame(complaints, [])
})

t.test('dashboard: what the service refuses is said where it was asked for', options, async (t) => {
  const story = await startDebugStory(t)
  const texts = Array.from({ length: 33 }, (_, at) => `note number ${at}.`)
  await giveNotes(story, texts)
  const { memories } = (await story.caller.get(`${NOTES}?limit=33`)).body as { memories: { memory_hash: string }[] }
  for (const { memory_hash: hash } of memories.slice(0, 32)) await story.caller.patch(`${NOTES}/${hash}`, { pinned: true })
  const { page } = await openPage(t, story.url)
  await signIn(page, story.caller)
  await openSession(page, 'notes')
  const last = rowOf(page, 'note number 32.')
  await last.getByRole('button', { name: 'Pin' }).click()
  await last.getByRole('alert').filter({ hasText: 'a session pins at most 32 memories' }).waitFor()
  await story.caller.delete('/v1/session/notes')
  await page.getByRole('alert').filter({ hasText: 'Session not found' }).first().waitFor()
  t.equal(await page.locator('.summary .tile').count(), 0, 'no figures of what is gone')
})

t.test('dashboard: a text with a script in it is a text, and another licence sees none of it', options, async (t) => {
  const story = await startDebugStory(t)
  await giveNotes(story, [SCRIPT])
  await story.run('notes', SCRIPT)
  const { page, complaints } = await openPage(t, story.url)
  await signIn(page, story.caller)
  await openSession(page, 'notes')
  await page.locator('[data-memory] > p').filter({ hasText: SCRIPT }).first().waitFor()
  await rowOf(page, SCRIPT).first().getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText(SCRIPT).waitFor()
  await page.keyboard.press('Escape')
  t.equal(await page.title(), 'Engram: dashboard')
  t.strictSame(complaints, [])

  const mallory = await story.as('mallory')
  await mallory.post('/v1/session/create', { session_id: 'hers' })
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await signIn(page, mallory)
  await page.locator('[data-part="session:hers"]').waitFor()
  t.equal(await page.locator('[data-part="session:notes"]').count(), 0)
  t.equal(await page.getByText('document.title').count(), 0)
})

t.test('dashboard: a month of conversation, its days and what was saved, at three widths and in both colours', options, async (t) => {
  const system = createSystemClock()
  let behindS = 28 * 86_400
  const story = await startDebugStory(t, { clock: { ...system, now: () => system.now() - behindS } })
  await tellStory(story)
  let answer: string | undefined
  for (const [at, { user, assistant }] of month.entries()) {
    behindS = Math.floor(28 * (1 - at / month.length)) * 86_400
    await story.run('household', user, answer)
    answer = assistant
  }
  behindS = 0
  const { memories } = (await story.caller.get('/v1/session/household/memories?limit=6')).body as { memories: { memory_hash: string }[] }
  await story.caller.patch(`/v1/session/household/memories/${memories[2]?.memory_hash ?? ''}`, { pinned: true })
  const { days } = (await story.caller.get('/v1/session/household/days')).body as {
    days: { short_circuits: number; saved_tokens: number }[]
  }
  const sum = (name: 'short_circuits' | 'saved_tokens') => days.reduce((total, day) => total + day[name], 0)
  t.ok(days.length > 20 && sum('short_circuits') > 0 && sum('saved_tokens') > 0)
  const { page } = await openPage(t, story.url)
  await signIn(page, story.caller)
  await page.getByText('Used last').waitFor()
  const all = (await story.caller.get('/v1/days')).body['days'] as { saved_tokens: number }[]
  const savedByAll = all.reduce((total, day) => total + day.saved_tokens, 0)
  t.ok(savedByAll >= sum('saved_tokens'))
  const saved = page.locator('.overview .tile').filter({ hasText: 'Tokens saved' }).locator('dd')
  t.match(await saved.textContent(), `≈ ${savedByAll.toLocaleString('en')}`)
  await page.getByText('By day').click()
  t.equal(await page.locator('.overview tbody tr').count(), all.length)
  await checkPage(t, page, 'overview')
  await page.getByRole('button', { name: 'household', exact: true }).click()
  const figureOf = (name: string) => page.locator('.days .tile').filter({ hasText: name }).locator('dd')
  await figureOf('Tokens saved').waitFor()
  t.match(await figureOf('Short circuits').textContent(), new RegExp(`^${sum('short_circuits')} `))
  t.match(await figureOf('Tokens saved').textContent(), `≈ ${sum('saved_tokens').toLocaleString('en')}`)
  await page.getByText('The same as a table').click()
  t.equal(await page.locator('.days tbody tr').count(), days.length)
  await page.getByText('The same as a table').click()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('.map summary').click()
  await keepView(page, 'dashboard')
  for (const [name, width] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width, height: 1000 })
    await page.locator('.day-chart canvas').waitFor()
    await page.locator('[data-memory]').first().waitFor()
    await checkPage(t, page, `month-${name}`)
  }
})

/** Lines that each word takes as the phase of the session that is shown. */
const LINES_OF = `(words) => {
  const figure = [...document.querySelectorAll('.tile')].find((tile) => tile.textContent.startsWith('Phase')).querySelector('dd')
  const shown = figure.textContent
  const lines = words.map((word) => {
    figure.textContent = word
    const range = document.createRange()
    range.selectNodeContents(figure)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size
  })
  figure.textContent = shown
  return lines
}`

t.test('dashboard: the word of a figure stands in one line, from telephones to wide screens', options, async (t) => {
  const words = ['initialization', 'exploration', 'convergence', 'instability', 'QUARANTINE', 'LOCKDOWN']
  const story = await startDebugStory(t)
  await tellStory(story)
  const { page } = await openPage(t, story.url)
  await signIn(page, story.caller)
  await openSession(page, 'anna')
  await page.locator('.tile').filter({ hasText: 'Phase' }).waitFor()
  for (const width of [320, 360, 414, 600, 768, 1100, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const lines = await page.evaluate<number[]>(`(${LINES_OF})(${JSON.stringify(words)})`)
    t.strictSame(lines, Array<number>(words.length).fill(1), `${words.join(', ')} at ${String(width)} pixels`)
  }
})

/** One topic, and then others. */
const DRIFTING_TALK = [
  'Which hotel in Lisbon is quiet at night?',
  'Which hotel in Lisbon is near the river?',
  'Which hotel in Lisbon has a garden?',
  'Which hotel in Lisbon serves a late breakfast?',
  'The invoice of the plumber is wrong by forty euros.',
  'Our cat refuses the new litter in the basement.'
]

t.test('dashboard: a map of regions, clusters and members that leads to each, at three widths and in both colours', options, async (t) => {
  const story = await startDebugStory(t)
  const { caller } = story
  await tellStory(story)
  const { body: south } = await caller.post('/v1/region/', { name: 'South' })
  await caller.post('/v1/region/', { name: 'A region with a name that is longer than there is room for it on a telephone' })
  await caller.post(`/v1/region/${String(south['region_id'])}/clusters`, { cluster_id: 'travel' })
  await caller.post('/v1/cluster/', { cluster_id: 'crowd' })
  for (let n = 10; n < 22; n++) {
    await story.run(`guest-${n}`, 'The museum in Lisbon is closed on Mondays.')
    await caller.post('/v1/cluster/crowd/members', { session_id: `guest-${n}` })
  }
  for (const message of DRIFTING_TALK) await caller.post('/v1/cluster/travel/run', { message })
  await caller.post('/v1/observer/', { region_ids: [south['region_id']] })

  const { page, complaints } = await openPage(t, story.url)
  await signIn(page, caller)
  const map = page.locator('.map')
  const areaOf = (id: string) => map.locator('li').filter({ has: page.locator(`> [data-node="${id}"]`) })
  const region = areaOf(`region:${String(south['region_id'])}`)
  await region.locator('[data-node="cluster:travel"]').waitFor()
  t.equal(await region.locator('[data-node="session:ben"]').count(), 1, 'a region holds its clusters, and these their members')
  t.match(await region.locator('> button').textContent(), /1 cluster/)
  t.match(await areaOf('cluster:crowd').locator('> button').textContent(), /12 members/)
  t.equal(await areaOf('cluster:crowd').locator('[data-node^="session:"]').count(), 8)
  const drifted = region.locator('.tone-alarm > [data-node="cluster:travel"]')
  await drifted.getByText(/drifted/).waitFor()
  await page.getByRole('list', { name: 'Alarms' }).getByRole('button', { name: 'cluster travel' }).waitFor()

  for (const [name, width] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width, height: 1000 })
    await checkPage(t, page, `map-${name}`)
  }
  await areaOf('cluster:crowd').getByRole('button', { name: '+ 4 sessions' }).click()
  t.equal(await page.getByLabel('Kind').inputValue(), 'session', 'the others are in the list')
  await map.locator('[data-node="session:ben"]').click()
  await page.getByRole('heading', { name: 'session ben' }).waitFor()
  t.equal(await map.locator('[data-node][tabindex="0"]').count(), 1, 'one stop of the Tab key')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'session cleo' }).waitFor()
  t.strictSame(complaints, [])
})
