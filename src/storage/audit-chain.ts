/**
 * Hash chain of the audit trail, one per subject. Each entry is hashed together with the hash of the entry before it, so a changed, missing
 * or inserted entry breaks every later link. The chain holds no secret: somebody who can rewrite all later entries and the chain's end
 * leaves no trace here. To detect that as well, keep the last hash elsewhere.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../domain/canonical-json.js'
import type { AuditEntry, AuditVerdict } from '../ports.js'

/** Previous hash of the first entry. */
export const CHAIN_START = '0'.repeat(64)

export interface AuditRow {
  readonly seq: number
  /** Canonical JSON of the entry. */
  readonly entry: string
  readonly previousHash: string
  readonly hash: string
}

export interface AuditHead {
  /** Number of entries written so far. */
  readonly seq: number
  /** Hash of the last entry. */
  readonly hash: string
}

/** Returns the rows of `entries`, chained after `head`, in order. */
export function linkEntries(head: AuditHead, subject: string, entries: readonly AuditEntry[]): AuditRow[] {
  let { seq, hash } = head
  return entries.map((entry) => {
    const text = toAuditText(entry)
    const previousHash = hash
    seq += 1
    hash = linkHash({ subject, seq, entry: text, previousHash })
    return { seq, entry: text, previousHash, hash }
  })
}

/** Checks the rows that follow `from`. Returns null when they are unchanged, else the first broken link. */
export function findBrokenLink(
  from: AuditHead,
  subject: string,
  rows: readonly AuditRow[]
): Extract<AuditVerdict, { isIntact: false }> | null {
  let { seq, hash } = from
  for (const row of rows) {
    seq += 1
    if (row.seq !== seq) return { isIntact: false, seq, problem: 'missing' }
    if (row.previousHash !== hash) return { isIntact: false, seq, problem: 'unlinked' }
    if (row.hash !== linkHash({ subject, ...row })) return { isIntact: false, seq, problem: 'changed' }
    hash = row.hash
  }
  return null
}

/** Inverse of `toAuditText`. */
export function fromAuditText(text: string): AuditEntry {
  const { action, user_id, session_id, request_id, timestamp, digest, size } = JSON.parse(text) as Omit<
    AuditEntry,
    'userId' | 'sessionId' | 'requestId'
  > & { readonly user_id: string; readonly session_id: string; readonly request_id: string }
  return { action, userId: user_id, sessionId: session_id, requestId: request_id, timestamp, digest, size }
}

/** The entry as it is stored and hashed: canonical JSON, with the field names of the wire format. */
export function toAuditText({ action, userId, sessionId, requestId, timestamp, digest, size }: AuditEntry): string {
  return [...canonicalJson({ action, user_id: userId, session_id: sessionId, request_id: requestId, timestamp, digest, size })].join('')
}

function linkHash({ subject, seq, entry, previousHash }: Omit<AuditRow, 'hash'> & { subject: string }): string {
  // JSON keeps the parts apart, so two different links never give the same text.
  return createHash('sha256')
    .update(JSON.stringify([previousHash, subject, seq, entry]))
    .digest('hex')
}
