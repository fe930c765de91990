/** Builds everything that ships: the programs with their bundled packages, the client, and the debugger's page. */
import { rm, writeFile } from 'node:fs/promises'
import { buildClient } from './client-build.js'
import { buildDebugPage } from './debug-page-build.js'
import { licencesOf } from './licences.js'
import { buildPrograms } from './program-build.js'

/** Replaces `dist` in the project's folder. */
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
