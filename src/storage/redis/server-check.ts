/** Decides by a Redis server's own INFO whether it may be trusted with records. */
import { codeIn, DomainError, NO_ROOM_LEFT } from '../../domain/errors.js'
import { LAYOUT_VERSION, laterLayout } from '../layout.js'
import type { AskRedis } from './connection.js'
import { keyInSlot, LAYOUT_KEY } from './keys.js'

/**
 * 7.0, of April 2022, is the first with an append-only file in parts, see `renewLog`. Valkey reports the version that it is compatible
 * with.
 */
const VERSION_MIN = 7

/** Keys that a server of a cluster is asked for. Of two servers with half of the slots each, all these lie in those of one by no chance. */
const SLOTS_TRIED = 128

/**
 * Throws `storage_unavailable` with a sentence when the server would lose or refuse records: when it evicts keys once its memory is full,
 * is a replica and accepts no writes, holds a part of a cluster's keys, or is too old.
 */
export async function checkServer(ask: AskRedis): Promise<void> {
  const info = readInfo(String(await ask('INFO')))
  if (Number.parseInt(info.get('redis_version') ?? '', 10) < VERSION_MIN)
    throw refused(`Redis has to be of version ${VERSION_MIN} or later.`)
  // Managed servers often forbid CONFIG, but allow INFO.
  const policy = info.get('maxmemory_policy')
  if (policy !== 'noeviction') {
    throw refused('Redis evicts keys when its memory is full, which would lose sessions: set maxmemory-policy to noeviction.')
  }
  if (info.get('role') !== 'master')
    throw refused('This Redis server is a replica and takes no writes: the address of the primary is needed.')
  if (info.get('cluster_enabled') === '1' && !(await hasAllSlots(ask)))
    throw refused('This Redis server holds a part of the keys of a cluster: a server is needed that holds all of them.')
}

/** Whether a server of a cluster answers for any key. It does where it is the only one. */
async function hasAllSlots(ask: AskRedis): Promise<boolean> {
  const tries = Array.from({ length: SLOTS_TRIED }, async (_, number) => {
    try {
      await ask('GET', keyInSlot(number))
      return true
    } catch (error) {
      if (codeIn((error as Error).cause) === 'MOVED') return false
      throw error
    }
  })
  return (await Promise.all(tries)).every(Boolean)
}

/**
 * Throws `storage_unavailable` when the server answers reads but refuses all writes: its memory is full, or it cannot write its append-only
 * file.
 */
export async function checkRoom(ask: AskRedis): Promise<void> {
  const info = readInfo(String(await ask('INFO')))
  const bytes = (field: string) => Number(info.get(field) ?? 0)
  const isFull = bytes('maxmemory') > 0 && bytes('used_memory') - bytes('mem_not_counted_for_evict') > bytes('maxmemory')
  if (isFull || info.get('aof_last_write_status') === 'err') throw refused(NO_ROOM_LEFT)
}

/**
 * Throws `storage_unavailable` when a later version of the service laid the records out differently, which `LAYOUT_KEY` then says. The
 * first layout has no such key.
 */
export async function checkLayout(ask: AskRedis): Promise<void> {
  const layout = Number((await ask('GET', LAYOUT_KEY)) ?? LAYOUT_VERSION)
  if (layout !== LAYOUT_VERSION) throw refused(laterLayout(layout))
}

/** Why the server may lose acknowledged writes in a crash; null when it keeps them. */
export async function findDurabilityGap(ask: AskRedis): Promise<string | null> {
  const info = readInfo(String(await ask('INFO')))
  if (info.get('aof_enabled') !== '1')
    return 'Redis keeps no append-only file: a crash loses all writes since its last snapshot (appendonly yes)'
  const fsync = await appendFsync(ask)
  if (fsync === null)
    return 'Redis does not tell how it writes its append-only file: without appendfsync always, a crash loses acknowledged writes'
  return fsync === 'always'
    ? null
    : 'Redis acknowledges writes before they are on disk: a crash loses up to a second of them (appendfsync always)'
}

/** Null when the server forbids the question. */
async function appendFsync(ask: AskRedis): Promise<string | null> {
  try {
    const reply = await ask('CONFIG', 'GET', 'appendfsync')
    return Array.isArray(reply) && reply.length === 2 ? String(reply[1]) : null
  } catch {
    return null
  }
}

/** Parses INFO into its fields, by name. */
export function readInfo(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.split('\r\n')) {
    const at = line.indexOf(':')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1))
  }
  return fields
}

function refused(sentence: string): DomainError {
  return new DomainError('storage_unavailable', sentence)
}
