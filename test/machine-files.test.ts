import t from 'tap'
import { readdirSync, readFileSync } from 'node:fs'
import { machineFiles } from '../src/machine-files.js'

const FOLDER = new URL('../docs/machines/', import.meta.url)
const files = machineFiles()

t.test('docs/machines: every file, as the code has it; `npm run machines` writes them', async (t) => {
  t.strictSame(readdirSync(FOLDER).sort(), [...files.keys()].sort())
  for (const [name, text] of files) t.equal(readFileSync(new URL(name, FOLDER), 'utf8'), text, name)
})

t.test('machines: every one of the folder, with a diagram and data', async (t) => {
  const machines = readdirSync(new URL('../machines/', import.meta.url)).flatMap((name) => /^(.+)-machine\.ts$/.exec(name)?.[1] ?? [])
  for (const name of machines) t.ok(files.has(`${name}.mmd`) && files.has(`${name}.json`), name)
})

t.test('docs: show the lifecycle of a session as the code has it', async (t) => {
  const text = readFileSync(new URL('../docs/actors.md', import.meta.url), 'utf8')
  t.ok(text.includes(`\`\`\`mermaid\n${files.get('lifecycle.mmd') ?? 'no lifecycle'}\`\`\``))
})
