/** `npm run build`: the programs that ship, each with the packages that it always needs, and the debugger's page beside them. */
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildDebugPage } from './debug-page-build.js'
import { buildPrograms } from './program-build.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OUTPUT = `${ROOT}dist/`

await rm(OUTPUT, { recursive: true, force: true })
await Promise.all([buildPrograms(ROOT, OUTPUT), buildDebugPage(`${OUTPUT}debug-page/`)])
