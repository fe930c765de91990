/** What a session tells the audit trail: that something was written or erased for a data subject, and never what. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../src/domain/canonical-json.js'
import type { AuditEntry } from '../../../src/ports.js'
import type { Work } from './work.js'

/** The texts that were written, by the name of their field in the request. */
export type WrittenTexts = Readonly<Record<string, string | readonly string[]>>

/**
 * Audits what was written in the commit of its step. Every turn that names a data subject and is not refused has one entry, whatever
 * isolation made of it; one that was blocked wrote nothing, which its size of 0 says. What names nobody has none.
 */
export function auditWritten(
  work: Work,
  action: 'run' | 'store',
  turn: { readonly userId: string | null; readonly texts: WrittenTexts }
): void {
  if (!work.services.audits || turn.userId === null) return
  const size = Object.values(turn.texts)
    .flat()
    .reduce((sum, text) => sum + Buffer.byteLength(text, 'utf8'), 0)
  audit(work, { action, userId: turn.userId, digest: digestOf(turn.texts), size })
}

/** Audits an erasure. Its digest is that of no text: the trail keeps that something was erased, not what. */
export function auditErasure(work: Work, erasure: { readonly userId: string; readonly erasedMemories: number }): void {
  if (!work.services.audits) return
  audit(work, { action: 'erase', userId: erasure.userId, digest: digestOf({}), size: erasure.erasedMemories })
}

function audit({ state, journal, requestId, now }: Work, entry: Pick<AuditEntry, 'action' | 'userId' | 'digest' | 'size'>): void {
  journal.audit({ ...entry, sessionId: state.address.id, requestId, timestamp: now })
}

/**
 * SHA-256 in hex over the canonical JSON of the texts: their holder can show that they were written. The names frame the
 * texts, so that no two turns are the same bytes, and no digest begins with a `memory_hash`, which erasure removes.
 */
function digestOf(texts: WrittenTexts): string {
  const hash = createHash('sha256')
  for (const chunk of canonicalJson(texts)) hash.update(chunk, 'utf8')
  return hash.digest('hex')
}
