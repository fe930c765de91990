/** The audit trail in MongoDB: one document per entry, linked in the same transaction as the state change that it records. */
import type { AuditEntry, AuditVerdict } from '../../ports.js'
import { CHAIN_START, findBrokenLink, fromAuditText, linkEntries } from '../audit-chain.js'
import type { Collections, Transaction } from './database.js'
import { toSubjectName } from './documents.js'

/** Entries per reply, some 600 bytes each. */
const READ_ENTRIES = 500

type RunInTurn = <Result>(subject: string, work: () => Promise<Result>) => Promise<Result>

/** Appends to the subject's chain. Of two concurrent transactions on one chain, the later is rolled back and retried. */
export async function appendAudit(
  { audit, auditEnds }: Collections,
  transaction: Transaction,
  { subject, entries }: { readonly subject: string; readonly entries: readonly AuditEntry[] }
): Promise<void> {
  const name = toSubjectName(subject)
  const end = (await auditEnds.findOne({ _id: name }, { session: transaction })) ?? { seq: 0, hash: CHAIN_START }
  const lines = linkEntries(end, name, entries)
  const last = lines.at(-1)
  if (last === undefined) return
  await auditEnds.replaceOne({ _id: name }, { seq: last.seq, hash: last.hash }, { session: transaction, upsert: true })
  await audit.insertMany(
    lines.map(({ seq, entry, previousHash, hash }) => ({
      _id: `${name}:${seq}`,
      subject: name,
      seq,
      entry,
      previous_hash: previousHash,
      hash
    })),
    { session: transaction }
  )
}

/** Returns the first trail after `after` that has an entry or an end; null when there is none. A trail's name is its subject's hash. */
export async function nextTrail({ audit, auditEnds }: Collections, after: string): Promise<string | null> {
  // Stryker disable next-line ObjectLiteral: the result is the same, but more is read
  const [endFields, entryFields] = [{ _id: 1 }, { subject: 1 }]
  const end = await auditEnds.findOne({ _id: { $gt: after } }, { sort: { _id: 1 }, projection: endFields })
  const entry = await audit.findOne({ subject: { $gt: after } }, { sort: { subject: 1 }, projection: entryFields })
  return [...(end === null ? [] : [end._id]), ...(entry === null ? [] : [entry.subject])].sort()[0] ?? null
}

/** Returns the entries that follow the first `after`. */
export async function readEntries(
  { audit }: Collections,
  name: string,
  { after, limit }: { readonly after: number; readonly limit: number }
): Promise<AuditEntry[]> {
  const found = await audit
    .find({ subject: name, seq: { $gt: after } })
    .sort({ seq: 1 })
    .limit(limit)
    .toArray()
  return found.map(({ entry }) => fromAuditText(entry))
}

/** Verifies a chain. Entries appended meanwhile are ignored. */
export async function verifyTrail({ audit, auditEnds }: Collections, name: string): Promise<AuditVerdict> {
  const end = (await auditEnds.findOne({ _id: name })) ?? { seq: 0, hash: CHAIN_START }
  let from = { seq: 0, hash: CHAIN_START }
  // Without an end, the trail must have no entry at all.
  const range = end.seq === 0 ? {} : { seq: { $lte: end.seq } }
  for await (const { seq, entry, previous_hash: previousHash, hash } of audit
    .find({ subject: name, ...range }, { batchSize: READ_ENTRIES })
    .sort({ seq: 1 })) {
    if (seq > end.seq) return { isIntact: false, seq, problem: 'unlinked' }
    const broken = findBrokenLink(from, name, [{ seq, entry, previousHash, hash }])
    if (broken !== null) return broken
    from = { seq, hash }
  }
  if (from.seq !== end.seq) return { isIntact: false, seq: from.seq + 1, problem: 'missing' }
  return from.hash === end.hash ? { isIntact: true, entries: end.seq } : { isIntact: false, seq: from.seq, problem: 'unlinked' }
}

/** Returns a function that runs work for one subject serially, in order of arrival. Nothing is kept of subjects without work. */
export function createSerialQueue(): RunInTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (subject, work) => {
    const before = last.get(subject) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(subject, mine)
    try {
      return await mine
    } finally {
      if (last.get(subject) === mine) last.delete(subject)
    }
  }
}
