/** Everything that ships: the programs, each with the packages that it always needs, the client, and the debugger's page beside them. */
import { rm, writeFile } from 'node:fs/promises'
import { buildClient } from './client-build.js'
import { buildDebugPage } from './debug-page-build.js'
import { licencesOf } from './licences.js'
import { buildPrograms } from './program-build.js'

/** Writes `dist` in the folder of the project, and nothing of what was there stays. */
export async function buildAll(root: string): Promise<void> {
  const output = `${root}dist/`
  await rm(output, { recursive: true, force: true })
  const metafiles = await Promise.all([
    buildPrograms(root, output),
    buildClient(root, `${output}client/`),
    buildDebugPage(`${output}debug-page/`)
  ])
  await writeFile(`${output}LICENSES.txt`, await licencesOf(root, metafiles))
}
