/** Where tests put what they throw away: thousands of files, whole installations, and databases that flush after every commit. */
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** On Linux a file system in memory. */
const MEMORY = '/dev/shm'
/** Several times what all tests have there at once; a machine with as much free is not short of memory. */
const FREE_BYTES_MIN = 8 * 2 ** 30

/** A new folder, in memory where there is room: on a disk, making and removing its files takes a tenth of all processor time. */
export async function temporaryFolder(memory = MEMORY, freeMin = FREE_BYTES_MIN): Promise<string> {
  return (await folderInMemory(memory, freeMin)) ?? newFolder(join(tmpdir(), 'tests-'))
}

/** A new folder whose path begins with `prefix`. Every user may look into it: a server that a test starts may be another one's. */
export async function newFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(prefix)
  await chmod(folder, 0o755)
  return folder
}

/** Null where there is no such file system, it is small, or nothing in it may be run, as in many containers. */
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
