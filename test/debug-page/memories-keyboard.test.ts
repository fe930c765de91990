/** The list of memories with the keyboard alone, in a real browser. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { skipWithoutBrowser } from '../support/chromium.js'
import { startDebugStory } from '../support/debug-story.js'
import { checkPage, openPage, signIn } from '../support/opened-page.js'

const COUNT = 50
const LONG_AT = 2

/** The memory in which the focus is, by its beginning, and the control that has it. */
const FOCUS = `(() => {
  const { dataset, tagName } = document.activeElement
  const row = document.activeElement.closest('[data-memory]')
  return [row === null ? tagName.toLowerCase() : row.querySelector('p').textContent.slice(0, 7), dataset.control ?? '']
})()`

const focusOf = (page: Page): Promise<[string, string]> => page.evaluate<[string, string]>(FOCUS)

async function press(page: Page, ...keys: readonly string[]): Promise<[string, string]> {
  for (const key of keys) await page.keyboard.press(key)
  return focusOf(page)
}

t.test(
  'memories with the keyboard: one Tab stop, arrow keys between controls, and a pin keeps the focus',
  { skip: skipWithoutBrowser },
  async (t) => {
    const story = await startDebugStory(t)
    await story.caller.post('/v1/session/create', { session_id: 'notes' })
    const memories = Array.from({ length: COUNT }, (_, at) => ({
      text: `note ${String(at).padStart(2, '0')} is about the garden. ${at === LONG_AT ? 'It is long. '.repeat(250) : ''}`
    }))
    await story.caller.post('/v1/session/notes/memories', { memories })
    const { page, complaints } = await openPage(t, story.url)
    await signIn(page, story.caller)
    await page.locator('[data-part="session:notes"]').click()
    await page
      .locator('[data-memory]')
      .nth(COUNT - 1)
      .waitFor()
    t.equal(await page.locator('.memories ul [tabindex="0"]').count(), 1)

    await page.getByRole('button', { name: 'Search', exact: true }).focus()
    t.strictSame(await press(page, 'Tab'), ['note 00', 'pin'], 'into the list')
    t.strictSame(await press(page, 'ArrowDown', 'ArrowRight'), ['note 01', 'importance'])
    t.strictSame(await press(page, 'ArrowDown', 'ArrowLeft', 'ArrowLeft'), ['note 02', 'text'], 'a long text has a control of its own')
    t.strictSame(await press(page, 'ArrowDown'), ['note 03', 'pin'], 'the next memory has none')
    t.strictSame(await press(page, 'End', 'ArrowDown', 'ArrowRight', 'ArrowRight'), ['note 49', 'delete'])
    t.not((await press(page, 'Tab'))[0], 'note 49', 'out of the list')
    t.strictSame(await press(page, 'Shift+Tab'), ['note 49', 'delete'], 'back where it was')
    t.strictSame(await press(page, 'Home', 'ArrowLeft', 'ArrowLeft'), ['note 00', 'pin'])

    await page.keyboard.press('Enter')
    await page.locator('[data-memory]').first().locator('[aria-pressed="true"]').waitFor()
    t.strictSame(await focusOf(page), ['note 00', 'pin'], 'the focus stays')
    await press(page, 'ArrowRight', 'Enter')
    await page.getByLabel('Importance, from 0').waitFor()
    t.strictSame(await press(page, 'Tab'), ['note 00', ''], 'in the field')
    const before = Number(await page.getByLabel('Importance, from 0').inputValue())
    t.strictSame(await press(page, 'ArrowUp'), ['note 00', ''], 'whose arrow keys are its own')
    t.ok(Number(await page.getByLabel('Importance, from 0').inputValue()) > before)
    await checkPage(t, page, 'memories-keyboard')
    t.strictSame(complaints, [])
  }
)
