/**
 * The audit trail in Redis: a list a subject, each entry linked to the one before by SHA-256 over that link and the entry's own
 * hash, so that a changed, missing or inserted entry shows. There is no secret in it: who may rewrite the whole list and its end
 * leaves no trace here; keep the last hash elsewhere to notice that as well.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical-json.js'
import type { AuditEntry } from '../../ports.js'
import type { AuditVerdict } from '../audit-chain.js'
import type { RedisConnection, Reply } from './connection.js'
import { toAuditKeys } from './keys.js'

const HASH_BYTES = 32

/** Entries read at a time, some 400 bytes each. */
const PAGE = 500

/** What the script that writes them needs of the entries: hash, text, hash, text, and so on. */
export function toAuditArguments(subject: string, entries: readonly AuditEntry[]): (Buffer | string)[] {
  return entries.flatMap((entry) => {
    const text = toText(entry)
    return [entryHash(subject, text), text]
  })
}

/** Walks a subject's chain. What is appended meanwhile is not looked at. Without any entry, the chain is intact. */
export async function verifyAudit(connection: RedisConnection, subject: string): Promise<AuditVerdict> {
  const keys = toAuditKeys(subject)
  const [count, end] = (await connection.call('HMGET', keys.end, 'n', 'h')) as readonly Reply[]
  const known = Number(String(count ?? 0))
  let link: Buffer = Buffer.alloc(HASH_BYTES)
  let seq = 0
  while (seq < known) {
    const page = (await connection.call('LRANGE', keys.entries, seq, Math.min(seq + PAGE, known) - 1)) as readonly Buffer[]
    for (const line of page) {
      seq += 1
      const next = createHash('sha256').update(link).update(entryHash(subject, line.subarray(HASH_BYTES))).digest()
      if (!next.equals(line.subarray(0, HASH_BYTES))) return { isIntact: false, seq, problem: 'changed' }
      link = next
    }
    if (page.length === 0) return { isIntact: false, seq: seq + 1, problem: 'missing' }
  }
  if (known === 0) return (await connection.call('LLEN', keys.entries)) === 0 ? { isIntact: true, entries: 0 } : { isIntact: false, seq: 1, problem: 'unlinked' }
  return Buffer.isBuffer(end) && link.equals(end) ? { isIntact: true, entries: known } : { isIntact: false, seq: known, problem: 'unlinked' }
}

function entryHash(subject: string, text: string | Uint8Array): Buffer {
  // The subject's length bounds it, so that no two different pairs are hashed as the same bytes.
  return createHash('sha256').update(`${Buffer.byteLength(subject)}:${subject}:`).update(text).digest()
}

function toText({ action, userId, sessionId, requestId, timestamp, digest, size }: AuditEntry): string {
  return [...canonicalJson({ action, user_id: userId, session_id: sessionId, request_id: requestId, timestamp, digest, size })].join('')
}
