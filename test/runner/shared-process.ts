/**
 * Program that runs several test files one after the other in one process, each as a subtest: starting a process and loading common modules
 * costs more than most files do. The compiled project's folder and the files' names (`test/x.test.ts`) come from the environment, not from
 * arguments: tap names fixture folders after those, and a file name has at most 255 bytes.
 */
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { SCOPE_NAME } from './scope-name.js'

const { compiled, files } = JSON.parse(process.env['SHARED_TESTS'] ?? '') as { compiled: string; files: string[] }
/** Milliseconds to wait until resources that a file has closed are gone. */
const CLOSING_MS_MAX = 10_000
/** Resources that would outlast a file: sockets, servers, threads and processes. */
const LASTING = /^(TCP|Pipe|UDP|Process|FSEvent|MessagePort|Worker|HTTP)/

const scopes = new Map<string, Test>()
/** Time limit of one file; the runner limits the whole process. */
const FILE_MS_MAX = Number(process.env['TAP_TIMEOUT']) * 1000

t.setTimeout(0)
Object.assign(globalThis, { testScopes: scopes })
let open = lasting().length
const leaving: string[] = []
await Promise.all(files.map((file) => t.test(file, (t) => runFile(t, file))))
// What was left open would keep the process running.
if (leaving.length > 0) {
  t.end()
  setImmediate(() => process.exit(1))
}

async function runFile(t: Test, file: string): Promise<void> {
  t.setTimeout(FILE_MS_MAX)
  await t.test(SCOPE_NAME, async (t) => {
    const { href } = pathToFileURL(compiled + file.replace(/\.ts$/, '.js'))
    scopes.set(href, t)
    await import(href)
  })
  const left = await leftOpen()
  if (left.length > open) {
    leaving.push(file)
    t.fail(`left something open: ${left.join(', ')}`)
  }
  open = left.length
}

/** Open resources, after waiting for those that the file has closed to go. */
async function leftOpen(): Promise<string[]> {
  const deadlineMs = performance.now() + CLOSING_MS_MAX
  while (lasting().length > open && performance.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 1))
  return lasting()
}

function lasting(): string[] {
  return process.getActiveResourcesInfo().filter((name) => LASTING.test(name))
}
