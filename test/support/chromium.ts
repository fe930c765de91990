/** A real browser for tests: Chromium, from CHROMIUM_PATH or the search path. */
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import type { Test } from 'tap'
import { isExecutable } from '../../src/platform/executable.js'

const executablePath = findChromium()

/** For a test that needs it: why it is skipped, or false. In CI it runs, and fails. */
export const skipWithoutBrowser =
  executablePath === null && process.env['CI'] !== 'true' && 'No Chromium on the search path or in CHROMIUM_PATH: apt-get install chromium'

/** Closed when the test ends. A container's root may not make sandboxes; what it opens is our own. */
export async function openBrowser(t: Test, args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox', ...args] })
  t.teardown(() => browser.close())
  return browser
}

function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const candidates = named === undefined || named === '' ? folders.flatMap((folder) => names.map((name) => join(folder, name))) : [named]
  return candidates.find(isExecutable) ?? null
}
