/**
 * The audit trail in Redis: one list per subject. Each entry is linked to the one before it by SHA-256 over that link and the entry's own
 * hash, so a changed, missing or inserted entry shows. The chain holds no secret: somebody who can rewrite the whole list and its end
 * leaves no trace here. To detect that as well, keep the last hash elsewhere.
 */
import { createHash } from 'node:crypto'
import type { AuditEntry, AuditVerdict } from '../../ports.js'
import { fromAuditText, toAuditText } from '../audit-chain.js'
import type { AskRedis, Reply } from './connection.js'
import { AUDIT_PATTERN, fromAuditKey, toAuditKeys, toTrail } from './keys.js'

const HASH_BYTES = 32

/** Entries read at a time, some 400 bytes each. */
const PAGE = 500

/** Keys per step of the search for trails: it blocks the server for some 0.2 ms. */
const SCAN_KEYS = 1_000

/** Arguments of the script that appends the entries: hash, text, hash, text, and so on. */
export function toAuditArguments(subject: string, entries: readonly AuditEntry[]): (Buffer | string)[] {
  const trail = toTrail(subject)
  return entries.flatMap((entry) => {
    const text = toAuditText(entry)
    return [entryHash(trail, text), text]
  })
}

/** Names of all trails that have an entry or an end. */
export async function findTrails(ask: AskRedis): Promise<ReadonlySet<string>> {
  const trails = new Set<string>()
  for (let cursor = '0'; ;) {
    const [next, keys] = (await ask('SCAN', cursor, 'MATCH', AUDIT_PATTERN, 'COUNT', SCAN_KEYS)) as readonly [Buffer, readonly Buffer[]]
    for (const key of keys) trails.add(fromAuditKey(String(key)))
    cursor = String(next)
    if (cursor === '0') return trails
  }
}

/** Returns the entries that follow the first `after`. */
export async function readEntries(
  ask: AskRedis,
  trail: string,
  { after, limit }: { readonly after: number; readonly limit: number }
): Promise<AuditEntry[]> {
  const lines = (await ask('LRANGE', toAuditKeys(trail).entries, after, after + limit - 1)) as readonly Buffer[]
  return lines.map((line) => fromAuditText(line.subarray(HASH_BYTES).toString('utf8')))
}

/** Verifies a chain. Entries appended meanwhile are ignored. A chain without entries is intact. */
export async function verifyTrail(ask: AskRedis, trail: string): Promise<AuditVerdict> {
  const keys = toAuditKeys(trail)
  const [count, end] = (await ask('HMGET', keys.end, 'n', 'h')) as readonly Reply[]
  const known = Number(String(count ?? 0))
  let link: Buffer = Buffer.alloc(HASH_BYTES)
  let seq = 0
  while (seq < known) {
    const page = (await ask('LRANGE', keys.entries, seq, Math.min(seq + PAGE, known) - 1)) as readonly Buffer[]
    for (const line of page) {
      seq += 1
      const next = createHash('sha256')
        .update(link)
        .update(entryHash(trail, line.subarray(HASH_BYTES)))
        .digest()
      if (!next.equals(line.subarray(0, HASH_BYTES))) return { isIntact: false, seq, problem: 'changed' }
      link = next
    }
    if (page.length === 0) return { isIntact: false, seq: seq + 1, problem: 'missing' }
  }
  if (known === 0)
    return (await ask('LLEN', keys.entries)) === 0 ? { isIntact: true, entries: 0 } : { isIntact: false, seq: 1, problem: 'unlinked' }
  return Buffer.isBuffer(end) && link.equals(end)
    ? { isIntact: true, entries: known }
    : { isIntact: false, seq: known, problem: 'unlinked' }
}

function entryHash(trail: string, text: string | Uint8Array): Buffer {
  // Trail names have a fixed length, so no two different pairs give the same bytes.
  return createHash('sha256').update(trail).update(text).digest()
}
