/**
 * Finds the records that want to be woken. Each subject has its own sorted set, so that its scripts can write it; the sets of all subjects
 * are found by scanning the server's keys.
 */
import type { ActorStorage, ReminderPage } from '../../ports.js'
import { fromAddressName } from '../address-name.js'
import type { AskRedis } from './connection.js'
import { REMINDERS_PATTERN } from './keys.js'

/** Keys that Redis scans before it serves others: one millisecond, including the round trip. */
const SCAN_KEYS = 1_000

/** Maximum number of commands per page, a tenth of a second, so that a server with millions of keys stays within the caller's deadline. */
const COMMANDS_MAX = 100

/** Progress of a walk. */
interface Walk {
  /** Redis's cursor; null when all keys were scanned. */
  readonly scan: string | null
  /** Sets that were found and are not fully read. */
  readonly keys: readonly string[]
  /** The last name read from the first of them; null before its first. */
  readonly after: string | null
}

/** See `ActorStorage.reminders`. SCAN returns every key that exists during the whole walk, and a set exists as long as it has a member. */
export async function readReminders(ask: AskRedis, { after, limit }: Parameters<ActorStorage['reminders']>[0]): Promise<ReminderPage> {
  const names: string[] = []
  let walk: Walk = after === undefined ? { scan: '0', keys: [], after: null } : (JSON.parse(after) as Walk)
  for (let commands = 0; commands < COMMANDS_MAX && names.length < limit && !isOver(walk); commands++) {
    const [key] = walk.keys
    if (key === undefined) walk = await findSets(ask, walk)
    else {
      const page = await readSet(ask, { key, after: walk.after, limit: limit - names.length })
      const isRead = page.length < limit - names.length
      names.push(...page)
      walk = isRead ? { ...walk, keys: walk.keys.slice(1), after: null } : { ...walk, after: page.at(-1) ?? null }
    }
  }
  return { addresses: names.map(fromAddressName), next: isOver(walk) ? null : JSON.stringify(walk) }
}

async function findSets(ask: AskRedis, { scan }: Walk): Promise<Walk> {
  const [cursor, keys] = (await ask('SCAN', scan ?? '0', 'MATCH', REMINDERS_PATTERN, 'COUNT', SCAN_KEYS)) as [Buffer, readonly Buffer[]]
  const next = String(cursor)
  return { scan: next === '0' ? null : next, keys: keys.map(String), after: null }
}

async function readSet(ask: AskRedis, { key, after, limit }: { key: string; after: string | null; limit: number }): Promise<string[]> {
  const names = await ask('ZRANGEBYLEX', key, after === null ? '-' : `(${after}`, '+', 'LIMIT', 0, limit)
  return (names as readonly Buffer[]).map(String)
}

function isOver({ scan, keys }: Walk): boolean {
  return scan === null && keys.length === 0
}
