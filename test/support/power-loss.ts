/**
 * Simulates the effect of a power loss on a server's files: each is reset to its last synced state. When a process is killed the kernel
 * keeps what was written, so a kill alone does not reveal a missing flush. strace(1) records each write and sync, and the files are reset
 * afterwards. Names (created, renamed, removed) are unchanged, because file systems keep them in order themselves.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from './needs.js'
import { createSyncedFiles, type SyncedFiles } from './synced-files.js'
import { untilSaid } from './until-said.js'

export interface PowerWatch {
  /** Call after the processes were killed: removes what was not synced from their files. Resolves to the number of lost bytes. */
  lose(): Promise<number>
}

export interface WatchedServer {
  /** All its processes; those that they start are watched too. They must be idle until this resolves. */
  readonly pids: readonly number[]
  /** Folder of its files. */
  readonly folder: string
  /** Base of its relative paths. Default: the folder. */
  readonly cwd?: string
}

const CALLS = [
  ...['openat', 'creat', 'write', 'pwrite64', 'writev', 'pwritev', 'ftruncate', 'fallocate', 'fsync', 'fdatasync'],
  ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat']
].join()

/** Bytes of a single call that are recorded in full; servers write less at once. */
const CALL_BYTES_MAX = 16 * 1024 * 1024

export async function watchPower({ pids, folder, cwd = folder }: WatchedServer): Promise<PowerWatch> {
  const log = `${folder}.calls`
  const options = ['-f', '-y', '-xx', '-s', String(CALL_BYTES_MAX), '-e', `trace=${CALLS}`, '-e', 'signal=none', '-o', log]
  const child = spawn(findProgram('strace') ?? 'strace', [...options, ...pids.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const exited = once(child, 'exit')
  await untilSaid(child, 'stderr', ' attached', pids.length)
  const files = createSyncedFiles({ folder, cwd, before: readFolder(folder) })
  return {
    async lose() {
      await exited
      for (const line of readFileSync(log, 'latin1').split('\n')) files.take(line)
      rmSync(log)
      return putBack(files)
    }
  }
}

function readFolder(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]))
}

function putBack(files: SyncedFiles): number {
  let lost = 0
  for (const { path, written, synced } of files.all()) {
    if (written.equals(synced)) continue
    lost += Math.max(1, written.length - synced.length)
    writeFileSync(path, synced)
  }
  return lost
}
