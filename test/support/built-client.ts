/** The client as it ships, built for a test. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildClient } from '../../src/tools/client-build.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Its one module. */
export async function builtClient(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'))
  try {
    await buildClient(ROOT, folder)
    return await readFile(join(folder, 'package-entry.js'), 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}
