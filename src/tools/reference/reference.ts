/** `npm run reference`: writes the reference of the HTTP interface to `docs/reference`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../arguments.js'
import { referenceFiles } from './reference-files.js'

const FOLDER = fileURLToPath(new URL('../../../docs/reference/', import.meta.url))

readArguments('npm run reference', {})
mkdirSync(FOLDER, { recursive: true })
for (const [name, text] of await referenceFiles()) {
  writeFileSync(`${FOLDER}${name}`, text)
  process.stdout.write(`docs/reference/${name}\n`)
}
