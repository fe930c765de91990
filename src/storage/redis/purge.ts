/** Making Redis forget on disk: its files keep what was removed until they are written anew. */
import { DomainError } from '../../domain/errors.js'
import type { RedisConnection } from './connection.js'
import { readInfo } from './server-check.js'

/** Milliseconds between two looks at a rewrite: a small one takes some 20. */
const LOOK_MS = 25

/** Milliseconds for both files: 10 GB at 100 MB/s. */
const PURGE_MS_MAX = 100_000

/**
 * Writes the append-only file and the snapshot anew from what is there now. Throws
 * `storage_unavailable` when the server does not get it done. Its backups and replicas stay their own affair.
 */
export async function purgeFiles(connection: RedisConnection): Promise<void> {
  const before = await persistence(connection)
  if (before.get('aof_enabled') === '1') {
    await idle(connection)
    await connection.call('BGREWRITEAOF')
    const after = await idle(connection)
    if (after.get('aof_last_bgrewrite_status') !== 'ok') throw failed()
  }
  await idle(connection)
  await connection.call('BGSAVE')
  const after = await idle(connection)
  if (after.get('rdb_last_bgsave_status') !== 'ok') throw failed()
}

/** Waits until Redis writes neither file: one at a time is what it can do. */
async function idle(connection: RedisConnection): Promise<ReadonlyMap<string, string>> {
  const busy = ['aof_rewrite_in_progress', 'aof_rewrite_scheduled', 'rdb_bgsave_in_progress']
  for (let waitedMs = 0; waitedMs < PURGE_MS_MAX; waitedMs += LOOK_MS) {
    const info = await persistence(connection)
    if (busy.every((field) => info.get(field) !== '1')) return info
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw failed()
}

async function persistence(connection: RedisConnection): Promise<ReadonlyMap<string, string>> {
  return readInfo(String(await connection.call('INFO', 'persistence')))
}

function failed(): DomainError {
  return new DomainError('storage_unavailable', 'The storage could not write its files anew')
}
