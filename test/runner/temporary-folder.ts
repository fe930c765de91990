/** Temporary folders for tests, which write thousands of files, whole installations, and databases that flush after every commit. */
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm'
/** Several times what all tests store there at once; a machine with this much free is not short of memory. */
const FREE_BYTES_MIN = 8 * 2 ** 30

/** Creates a folder, in memory if there is room: on a disk, creating and removing its files takes a tenth of all processor time. */
export async function temporaryFolder(memory = MEMORY, freeMin = FREE_BYTES_MIN): Promise<string> {
  return (await folderInMemory(memory, freeMin)) ?? newFolder(join(tmpdir(), 'tests-'))
}

/** Creates a folder whose path begins with `prefix`. Every user may read it: a server that a test starts may run as another user. */
export async function newFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(prefix)
  await chmod(folder, 0o755)
  return folder
}

/** Null if there is no such file system, it lacks room, or files in it cannot be executed, as in many containers. */
async function folderInMemory(memory: string, freeMin: number): Promise<string | null> {
  const found = await statfs(memory).catch(() => null)
  if (found === null || found.bavail * found.bsize < freeMin) return null
  const folder = await newFolder(join(memory, 'tests-')).catch(() => null)
  if (folder === null) return null
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  const canRun = spawnSync(program).status === 0
  await rm(canRun ? program : folder, { recursive: true })
  return canRun ? folder : null
}
