/**
 * Program that runs several test files one after the other in one process: starting one and reading what they have in common costs more
 * than most of them do. It takes the folder of the compiled project and the files' names (`test/x.test.ts`), by which each is a subtest,
 * from its environment: tap calls folders of fixtures by the arguments, and a name has at most 255 bytes.
 */
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { SCOPE_NAME } from './scope-name.js'

const { compiled, files } = JSON.parse(process.env['SHARED_TESTS'] ?? '') as { compiled: string; files: string[] }
/** Milliseconds in which what a file has closed is gone. */
const CLOSING_MS_MAX = 10_000
/** What another file would find: sockets, servers, threads and processes. */
const LASTING = /^(TCP|Pipe|UDP|Process|FSEvent|MessagePort|Worker|HTTP)/

const scopes = new Map<string, Test>()
/** Of one file; all together have none but the runner's. */
const FILE_MS_MAX = Number(process.env['TAP_TIMEOUT']) * 1000

t.setTimeout(0)
Object.assign(globalThis, { testScopes: scopes })
let open = lasting().length
const leaving: string[] = []
await Promise.all(files.map((file) => t.test(file, (t) => runFile(t, file))))
// Of itself it would not end.
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

/** What is open once that which the file has closed is gone. */
async function leftOpen(): Promise<string[]> {
  const deadlineMs = performance.now() + CLOSING_MS_MAX
  while (lasting().length > open && performance.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 1))
  return lasting()
}

function lasting(): string[] {
  return process.getActiveResourcesInfo().filter((name) => LASTING.test(name))
}
