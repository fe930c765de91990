/** Makes Redis rewrite its files: after its restart, because of a fault in Redis, and after an erasure. */
import { DomainError } from '../../domain/errors.js'
import { STORAGE_MS_MAX } from '../../domain/limits.js'
import type { AskRedis } from './connection.js'
import { readInfo } from './server-check.js'

/** Milliseconds between two polls of a rewrite; a small one takes some 20. */
const LOOK_MS = 25

/** Milliseconds for both files, and for a write already in progress: 10 GB at 100 MB/s. */
const PURGE_MS_MAX = 100_000

/**
 * Starts a new append-only file unless the server has rewritten it since its start. A crash in the middle of a script's entry leaves
 * "MULTI" and some writes without "EXEC" in the file (seen with Redis 7.0.15; described in valkey-io/valkey#4342). The restarted server
 * ignores them and appends. On a second restart from that file they would be carried out together with what follows them, or what follows
 * would be dropped. Once a rewrite has begun, acknowledged writes go to another file. If Redis is killed before the rewrite ends, it cuts
 * the torn file at the right place, exits with a fatal error about it, and starts the next time.
 */
export async function renewLog(ask: AskRedis): Promise<void> {
  const endsAtMs = performance.now() + STORAGE_MS_MAX
  let refusal: Error | undefined
  while (performance.now() < endsAtMs) {
    const info = await persistence(ask)
    // Both fields are -1 and 0 from the server's start until the first rewrite.
    const isRenewed = info.get('aof_last_rewrite_time_sec') !== '-1' || info.get('aof_rewrite_in_progress') === '1'
    if (info.get('aof_enabled') !== '1' || isRenewed) return
    // Had another node started a rewrite in between, INFO would show it by now: the refusal has another reason.
    if (refusal !== undefined) throw refusal
    // A snapshot in progress delays the rewrite.
    if (info.get('aof_rewrite_scheduled') !== '1') await ask('BGREWRITEAOF').catch((error: unknown) => void (refusal = error as Error))
    await look()
  }
  throw failed()
}

/**
 * Rewrites the append-only file and the snapshot from the current data. Throws `storage_unavailable` when the server does not finish in
 * time. Its backups and replicas are not covered.
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

/**
 * Starts writing a file. When Redis refuses because another node got there first, waits until it is idle and tries again. Refused twice
 * while it is idle, it has another reason: once, the other's file may have been finished since.
 */
async function begin(ask: AskRedis, command: string, endsAtMs: number, wasIdle = false): Promise<void> {
  try {
    await ask(command)
  } catch (error) {
    const isNowIdle = isIdle(await persistence(ask))
    if (isNowIdle && wasIdle) throw error
    if (!isNowIdle) await idle(ask, endsAtMs)
    await begin(ask, command, endsAtMs, isNowIdle)
  }
}

/** Waits until Redis writes neither file; it can write only one at a time. Throws from `endsAtMs` on. */
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
