import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'
import { machineFiles } from '../../src/tools/machine-files.js'
import { programArgs } from '../support/program.js'

/** Time limit in milliseconds for all charts together: a chart with an endless loop never ends. */
const RUN_MS_MAX = 60_000

const FOLDER = new URL('../../docs/machines/', import.meta.url)
const files = machineFiles()

t.test('docs/machines: every file, as the code has it; `npm run machines` writes them', async (t) => {
  t.strictSame(readdirSync(FOLDER).sort(), [...files.keys()].sort())
  for (const [name, text] of files) t.equal(readFileSync(new URL(name, FOLDER), 'utf8'), text, name)
})

t.test('machines: every one of the folder, with a diagram and data', async (t) => {
  const machines = readdirSync(new URL('../../machines/', import.meta.url)).flatMap((name) => /^(.+)-machine\.ts$/.exec(name)?.[1] ?? [])
  for (const name of machines) t.ok(files.has(`${name}.mmd`) && files.has(`${name}.json`), name)
})

t.test('docs: show the lifecycle of a session as the code has it', async (t) => {
  const text = readFileSync(new URL('../../docs/actors.md', import.meta.url), 'utf8')
  t.ok(text.includes(`\`\`\`mermaid\n${files.get('session.mmd') ?? 'no session'}\`\`\``))
})

t.test('the data of machines starts as anybody would start it, and stays within its states in little memory', async (t) => {
  const args = ['--max-old-space-size=64', ...programArgs('test/machines/chart-runner.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: RUN_MS_MAX })
  t.same(stdout.trim().split('\n'), [...files.keys()].filter((name) => name.endsWith('.json')).sort())
})

t.test('the data of machines has delays in milliseconds and no effects', async (t) => {
  for (const [name, text] of files) {
    if (!name.endsWith('.json')) continue
    t.notMatch(text, /"(invoke|input)"/, name)
    for (const [, delays = ''] of text.matchAll(/"after": \{\s*("[^"]+")/g)) t.match(delays, /^"\d+"$/, name)
  }
})
