/** `npm run machines`: writes the state machines to `docs/machines`, as diagrams and as data. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readArguments } from './arguments.js'
import { machineFiles } from './machine-files.js'

const FOLDER = fileURLToPath(new URL('../../docs/machines/', import.meta.url))

readArguments('npm run machines', {})
mkdirSync(FOLDER, { recursive: true })
for (const [name, text] of machineFiles()) {
  writeFileSync(`${FOLDER}${name}`, text)
  process.stdout.write(`docs/machines/${name}\n`)
}
