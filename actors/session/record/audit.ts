/** Audit entries of a session: they tell that something was written or erased for a data subject, never what. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../src/domain/canonical-json.js'
import type { EditMemory } from '../../../src/domain/commands/control-commands.js'
import { createPace, isPauseDue, type Pieces } from '../../../src/domain/pieces.js'
import type { Memory } from '../../../src/domain/session.js'
import type { AuditEntry } from '../../../src/ports.js'
import type { Work } from './work.js'

/** Written texts by the name of their field in the request. */
export type WrittenTexts = Readonly<Record<string, string | readonly string[]>>

/**
 * Audits a turn in the commit of its step. Every turn that names a data subject and is not refused gets one entry, regardless of isolation;
 * a blocked one wrote nothing, and has size 0. A turn that names no data subject gets none.
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

/** Audits an erasure. Its digest is that of no texts: the trail keeps that something was erased, not what. */
export function auditErasure(work: Work, erasure: { readonly userId: string; readonly erasedMemories: number }): void {
  if (!work.services.audits) return
  audit(work, { action: 'erase', userId: erasure.userId, digest: digestOf({}), size: erasure.erasedMemories })
}

/**
 * Audits a manual edit, once for each data subject whose memories it changed. The digest is that of the edit as canonical JSON with the
 * `memory_hash`; the size is the number of memories.
 */
export function* auditEdit(work: Work, { hash, importance, pinned }: Omit<EditMemory, 'type'>, memories: Iterable<Memory>): Pieces<void> {
  const digest = digestOf({ memory_hash: hash, ...(importance !== undefined && { importance }), ...(pinned !== undefined && { pinned }) })
  yield* auditEach(work, memories, { action: 'edit', digest })
}

/** Audits the deletion of a memory as an erasure, once for each data subject that loses something. */
export function auditDeletion(work: Work, memories: Iterable<Memory>): Pieces<void> {
  return auditEach(work, memories, { action: 'erase', digest: digestOf({}) })
}

/** Memories counted, or entries made, in one piece of work. */
const ENTRIES_A_PIECE = 512

/** Adds one entry for each data subject of the memories; its size is the number of their memories. */
function* auditEach(work: Work, memories: Iterable<Memory>, { action, digest }: Pick<AuditEntry, 'action' | 'digest'>): Pieces<void> {
  if (!work.services.audits) return
  const pace = createPace()
  const counts = new Map<string, number>()
  for (const { userId } of memories) {
    if (userId !== null) counts.set(userId, (counts.get(userId) ?? 0) + 1)
    if (isPauseDue(pace, 1 / ENTRIES_A_PIECE)) yield
  }
  for (const [userId, size] of counts) {
    audit(work, { action, userId, digest, size })
    if (isPauseDue(pace, 1 / ENTRIES_A_PIECE)) yield
  }
}

function audit({ state, journal, requestId, now }: Work, entry: Pick<AuditEntry, 'action' | 'userId' | 'digest' | 'size'>): void {
  journal.audit({ sessionId: state.address.id, requestId, timestamp: now, ...entry })
}

/**
 * SHA-256 in hex over the canonical JSON of the texts, with which a holder of the texts can prove that they were written. Field names are
 * included, so that different turns have different bytes, and no digest begins with a `memory_hash`, which an erasure has to remove.
 */
function digestOf(written: Readonly<Record<string, unknown>>): string {
  const hash = createHash('sha256')
  for (const chunk of canonicalJson(written)) hash.update(chunk, 'utf8')
  return hash.digest('hex')
}
