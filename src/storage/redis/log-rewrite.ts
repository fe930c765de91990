/** Having Redis write its files anew: after its restart, because of a fault of its own, and after an erasure. */
import { DomainError } from '../../domain/errors.js'
import { STORAGE_MS_MAX } from '../../domain/limits.js'
import type { AskRedis } from './connection.js'
import { readInfo } from './server-check.js'

/** Milliseconds between two looks at a rewrite: a small one takes some 20. */
const LOOK_MS = 25

/** Milliseconds for both files, and for what Redis writes before them: 10 GB at 100 MB/s. */
const PURGE_MS_MAX = 100_000

/**
 * Begins a new append-only file unless there is one since the server's start. A crash in the middle of a script's entry leaves
 * "MULTI" and some writes without "EXEC" in the file (seen with Redis 7.0.15; described in valkey-io/valkey#4342): the restarted
 * server ignores them, and appends. Were it to restart once more on that file, they would be carried out with what follows them,
 * or what follows them be dropped. Once a rewrite has begun, what is acknowledged goes to another file. Killed before it has ended,
 * Redis cuts the torn file where it should, exits with a fatal error about it, and starts the next time.
 */
export async function renewLog(ask: AskRedis): Promise<void> {
  const endsAtMs = performance.now() + STORAGE_MS_MAX
  let refusal: Error | undefined
  while (performance.now() < endsAtMs) {
    const info = await persistence(ask)
    // Both are -1 and 0 from the start of the server on, until the first rewrite.
    const isRenewed = info.get('aof_last_rewrite_time_sec') !== '-1' || info.get('aof_rewrite_in_progress') === '1'
    if (info.get('aof_enabled') !== '1' || isRenewed) return
    // Refused because another node had asked since the look before, it would show by now.
    if (refusal !== undefined) throw refusal
    // A snapshot under way delays it.
    if (info.get('aof_rewrite_scheduled') !== '1') await ask('BGREWRITEAOF').catch((error: unknown) => void (refusal = error as Error))
    await look()
  }
  throw failed()
}

/**
 * Writes the append-only file and the snapshot anew from what is there now. Throws `storage_unavailable` when the server does not
 * get it done. Its backups and replicas stay their own affair.
 */
export async function purgeFiles(ask: AskRedis): Promise<void> {
  const endsAtMs = performance.now() + PURGE_MS_MAX
  const before = await idle(ask, endsAtMs)
  if (before.get('aof_enabled') === '1') {
    await begin(ask, 'BGREWRITEAOF', endsAtMs)
    const after = await idle(ask, endsAtMs)
    if (after.get('aof_last_bgrewrite_status') !== 'ok') throw failed()
  }
  await begin(ask, 'BGSAVE', endsAtMs)
  const after = await idle(ask, endsAtMs)
  if (after.get('rdb_last_bgsave_status') !== 'ok') throw failed()
}

/** Has Redis begin a file: again when it is idle, where it was refused because another node had asked in between. */
async function begin(ask: AskRedis, command: string, endsAtMs: number): Promise<void> {
  try {
    await ask(command)
  } catch (error) {
    if (isIdle(await persistence(ask))) throw error
    await idle(ask, endsAtMs)
    await begin(ask, command, endsAtMs)
  }
}

/** Waits until Redis writes neither file: one at a time is what it can do. Throws from `endsAtMs` on. */
async function idle(ask: AskRedis, endsAtMs: number): Promise<ReadonlyMap<string, string>> {
  while (performance.now() < endsAtMs) {
    const info = await persistence(ask)
    if (isIdle(info)) return info
    await look()
  }
  throw failed()
}

function isIdle(info: ReadonlyMap<string, string>): boolean {
  return ['aof_rewrite_in_progress', 'aof_rewrite_scheduled', 'rdb_bgsave_in_progress'].every((field) => info.get(field) !== '1')
}

async function persistence(ask: AskRedis): Promise<ReadonlyMap<string, string>> {
  return readInfo(String(await ask('INFO', 'persistence')))
}

function look(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

function failed(): DomainError {
  return new DomainError('storage_unavailable', 'The storage could not write its files anew')
}
