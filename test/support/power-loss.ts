/**
 * What a loss of power leaves of a server's files: each as it was when it was last synced. The kernel keeps what was written when a
 * process is killed, so a kill alone does not show what a missing flush would lose. Here strace(1) tells of each write and each sync, and
 * the files are put back afterwards. Names (created, renamed, removed) stay as they are: of them file systems keep an order by themselves.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findProgram } from './needs.js'
import { createSyncedFiles, type SyncedFiles } from './synced-files.js'

export interface PowerWatch {
  /** After the processes were killed: takes from their files what was not synced. Resolves to the bytes that it took. */
  lose(): Promise<number>
}

export interface WatchedServer {
  /** Every process of it; those that they start are watched as well. Nothing is asked of them until this resolves. */
  readonly pids: readonly number[]
  /** Where its files are. */
  readonly folder: string
  /** What its relative paths begin from. Default: the folder. */
  readonly cwd?: string
}

const CALLS = [
  ...['openat', 'creat', 'write', 'pwrite64', 'writev', 'pwritev', 'ftruncate', 'fallocate', 'fsync', 'fdatasync'],
  ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat']
].join()

/** Bytes of one call that are told in full: servers write less at once. */
const CALL_BYTES_MAX = 16 * 1024 * 1024

export async function watchPower({ pids, folder, cwd = folder }: WatchedServer): Promise<PowerWatch> {
  const log = `${folder}.calls`
  const options = ['-f', '-y', '-xx', '-s', String(CALL_BYTES_MAX), '-e', `trace=${CALLS}`, '-e', 'signal=none', '-o', log]
  const child = spawn(findProgram('strace') ?? 'strace', [...options, ...pids.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const exited = once(child, 'exit')
  await attached(child, pids.length)
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

/** Rejects when it may not, or cannot, attach. */
async function attached(child: ChildProcess, count: number): Promise<void> {
  if (child.stderr === null) throw new Error('strace has no output')
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stderr as NodeJS.ReadableStream).on('line', (line) => {
      said.push(line)
      if (said.filter((one) => one.includes(' attached')).length >= count) resolve()
    })
    child.once('exit', () => reject(new Error(`strace ended: ${said.join('\n')}`)))
    child.once('error', reject)
  })
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
