/** The dashboard in a real browser: opens it, signs in, and checks it. */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { newPage } from './chromium.js'
import type { Caller } from './real-service.js'

/** A loaded machine renders slowly. */
const WAIT_MS = 60_000

/** Set to keep screenshots of the page in that folder. */
const PICTURES = process.env['PICTURES_FOLDER']

/** Source of the accessibility checker, to be injected into the page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const WIDTHS = { phone: 390, tablet: 820, desktop: 1440 } as const

/** Checks that nothing is wider than the window, no text is wider than its box, and axe finds nothing, in light and in dark. */
export async function checkPage(t: Test, page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (PICTURES !== undefined) await takePicture(page, `${name}-${colorScheme}`)
    t.strictSame(await overflows(page), [], `${name}, ${colorScheme}: nothing leaves its box`)
    t.strictSame(await findingsOf(page, RULES[colorScheme]), [], `${name}, ${colorScheme}: axe finds nothing`)
  }
}

/**
 * Scripts for the page are strings, because tests are compiled without browser types. This one resolves when everything is drawn: in the
 * first frame resize observers run, in the second their changes are drawn.
 */
const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))'

/** Finds elements that overflow. */
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

/** Rules of the checker: all for light; only those about colours for dark, because nothing else changes. */
const RULES = { light: undefined, dark: ['color-contrast', 'link-in-text-block'] } as const

/** Function that runs the checker. Rules without findings are not described, which would take most of the time. */
const FINDINGS = `(runOnly) => axe
  .run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`

const FOCUSED = `(() => {
  const { tagName, id, role } = document.activeElement
  return tagName.toLowerCase() + (id === '' ? '' : '#' + id) + (role === 'listbox' ? '[listbox]' : '')
})()`

async function overflows(page: Page): Promise<unknown> {
  await page.evaluate(DRAWN)
  return page.evaluate(OVERFLOWS)
}

async function findingsOf(page: Page, rules: readonly string[] | undefined): Promise<unknown> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  return page.evaluate(`(${FINDINGS})(${JSON.stringify(rules)})`)
}

export async function signIn(page: Page, { token }: Pick<Caller, 'token'>): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.keyboard.press('Enter')
  await page.getByText('Live', { exact: true }).waitFor()
}

/** The focused element: its tag, id and role. */
export async function focused(page: Page): Promise<unknown> {
  return page.evaluate(FOCUSED)
}

export async function openPage(t: Test, url: string): Promise<{ page: Page; complaints: readonly string[] }> {
  const page = await newPage(t, { viewport: { width: WIDTHS.desktop, height: 1000 } })
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

/** Takes a screenshot of the window if screenshots are enabled. */
export async function keepView(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES ?? '', { recursive: true })
  await page.screenshot({ path: join(PICTURES ?? '', `debugger-${name}.png`), fullPage: true })
}
