/** Cache of folders, each made once under a name that identifies its content, and kept as long as runs use it. */
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders that no run has used for this long are removed. */
const KEPT_MS = 86_400_000

/**
 * Resolves to the path of `output/name`, which `make` fills if no earlier run did. Safe for concurrent runs: a folder appears only once it
 * is complete.
 */
export async function outputFolder(output: string, name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(output, name)
  if (!(await exists(folder))) {
    await mkdir(output, { recursive: true })
    const unfinished = await mkdtemp(join(output, 'new-'))
    await make(unfinished)
    // A concurrent run may have been faster; its folder has the same content.
    await rename(unfinished, folder).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true })
      if (!(await exists(folder))) throw error
    })
  }
  const now = new Date()
  await utimes(folder, now, now)
  await removeUnused(output, now.getTime())
  return folder
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}

async function removeUnused(output: string, nowMs: number): Promise<void> {
  for (const name of await readdir(output)) {
    const found = await stat(join(output, name)).catch(() => null)
    if (found !== null && nowMs - found.mtimeMs > KEPT_MS) await rm(join(output, name), { recursive: true, force: true })
  }
}
