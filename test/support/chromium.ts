/** A real browser for tests: Chromium, from CHROMIUM_PATH or the search path. Its headless shell takes a third less of the processor. */
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import tap, { type Test } from 'tap'
import { isExecutable } from '../../src/platform/executable.js'

/** A container's root may not make sandboxes; what is opened is our own. Nothing is drawn for a screen. Names of examples lead here. */
// What pages run is mostly run once: optimising it takes more than it saves, a fifth of what they cost the processor.
const ARGS = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.example 127.0.0.1', '--js-flags=--no-opt --no-maglev']

const executablePath = findChromium()

/** For a test that needs it: why it is skipped, or false. In CI it runs, and fails. */
export const skipWithoutBrowser =
  executablePath === null &&
  process.env['CI'] !== 'true' &&
  'No Chromium on the search path or in CHROMIUM_PATH: apt-get install chromium-headless-shell'

/** One for all tests of a file. */
let browser: Promise<Browser> | null = null

/** A page that shares nothing with another one: its storage, cookies and cache are its own. Closed when the test ends. */
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
