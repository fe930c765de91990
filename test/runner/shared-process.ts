/**
 * Program that runs several test files one after the other in one process: starting one and reading what they have in common costs more
 * than most of them do. It takes the folder of the compiled project and the files' names (`test/x.test.ts`), by which each is a subtest, from
 * its environment: tap calls folders of fixtures by the arguments, and a name has at most 255 bytes.
 */
import { register } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'

const { compiled, files } = JSON.parse(process.env['SHARED_TESTS'] ?? '') as { compiled: string; files: string[] }
const scopes = new Map<string, Test>()

Object.assign(globalThis, { testScopes: scopes })
register('./scope-hooks.js', import.meta.url)
for (const file of files) {
  t.test(file, async (t) => {
    const { href } = pathToFileURL(compiled + file.replace(/\.ts$/, '.js'))
    scopes.set(href, t)
    await import(href)
  })
}
