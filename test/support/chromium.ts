/** A real browser for tests: Chromium, from CHROMIUM_PATH or the search path. The headless shell uses a third less processor time. */
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import tap, { type Test } from 'tap'
import { isExecutable } from '../../src/platform/executable.js'

/**
 * No sandbox, because root in a container cannot create one and only own pages are opened; no GPU; example host names resolve to this
 * machine.
 */
// Most page scripts run once: optimising them costs more than it saves, a fifth of the processor time.
const ARGS = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.example 127.0.0.1', '--js-flags=--no-opt --no-maglev']

const executablePath = findChromium()

/** Reason to skip a test that needs the browser, or false. In CI the test runs, and fails. */
export const skipWithoutBrowser =
  executablePath === null &&
  process.env['CI'] !== 'true' &&
  'No Chromium on the search path or in CHROMIUM_PATH: apt-get install chromium-headless-shell'

/** Shared by all tests of a file. */
let browser: Promise<Browser> | null = null

/** Opens a page with its own storage, cookies and cache. Closed when the test ends. */
export async function newPage(t: Test, options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= launch()
  const context = await (await browser).newContext(options)
  t.teardown(() => context.close())
  return context.newPage()
}

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({ executablePath: executablePath ?? '', args: ARGS })
  tap.teardown(() => launched.close())
  return launched
}

function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const candidates = named === undefined || named === '' ? names.flatMap((name) => folders.map((folder) => join(folder, name))) : [named]
  return candidates.find(isExecutable) ?? null
}
