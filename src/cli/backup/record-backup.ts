/** Backs up every record and audit trail of any storage, beside a running service, and restores them into any storage. */
import { setTimeout as wait } from 'node:timers/promises'
import { fromArchivedText, toArchivedText } from '../../composition/archive-codec.js'
import { ACTOR_KINDS, type Address, addressKey } from '../../domain/address.js'
import { hasCode } from '../../domain/errors.js'
import type { ActorStorage, AuditEntry, AuditTrails, StoredRow } from '../../ports.js'
import type { RecordArchive } from '../../record-archive.js'
import { CommandFailure, usageFailure } from '../console/failure.js'
import type { BackupWriter } from './backup-writer.js'
import { readLines } from './file-lines.js'
import { isObject, parsed } from './format.js'

export type ArchivedStorage = ActorStorage & AuditTrails & RecordArchive

/** Start of a record in the file. Its rows follow, one per line. */
interface RecordLine {
  readonly type: 'record'
  readonly address: Address
  readonly wakes: boolean
  readonly rows: number
  readonly head: string
}

interface RowLine {
  readonly type: 'row'
  readonly collection: string
  readonly id: string
  readonly body: string
}

interface AuditLine {
  readonly type: 'audit'
  readonly subject: string
  /** Number of entries of the trail before these. */
  readonly after: number
  readonly entries: readonly AuditEntry[]
}

const PAGE_LIMIT = 500

/** Attempts to read a record that is written continuously. */
const READS_MAX = 20
const READ_PAUSE_MS = 50

/** Maximum bytes of a line: the largest body that a storage accepts, in base64. */
const LINE_BYTES_MAX = 512 * 1024 * 1024

/** Id of a temporary record, with which the entries of a trail are restored and which is then removed. */
const CARRIER_ID = '_engram_restore_audit'

const ITEM = /^\{"type":"(?:record|audit)",/

export function beginsRecord(head: string): boolean {
  return ITEM.test(head)
}

interface RecordBackupOptions {
  /** Undefined: all subjects that the storage can name. */
  readonly subjects: readonly string[] | undefined
  readonly signal: AbortSignal
  readonly onProgress: (items: number, subject: string) => void
}

/** Continues after the existing items. The order is always the same; whether concurrent writes are included is undefined. */
export async function backUpRecords(storage: ArchivedStorage, writer: BackupWriter, options: RecordBackupOptions): Promise<void> {
  const wakeful = await readWakeful(storage)
  const last = writer.last === null ? null : toItem(writer.last)
  let isPast = last === null
  for await (const subject of subjectsOf(storage, options.subjects)) {
    if (!isPast && last?.subject !== subject) continue
    isPast = true
    await backUpSubject(storage, writer, { ...options, subject, wakeful, after: last?.subject === subject ? last : null })
  }
}

interface Item {
  readonly subject: string
  /** Null for an item of the audit trail, which precedes all records. */
  readonly address: Address | null
  readonly entries: number
}

/** Parses the item that a line starts, as far as the line's first bytes tell. */
function toItem(head: string): Item | null {
  const [, subject, after] = /^\{"type":"audit","subject":("(?:[^"\\]|\\.)*"),"after":(\d+)/.exec(head) ?? []
  if (subject !== undefined) return { subject: JSON.parse(subject) as string, address: null, entries: Number(after) + PAGE_LIMIT }
  const [, address] = /^\{"type":"record","address":(\{.*?\}),"wakes"/.exec(head) ?? []
  const parsedAddress = address === undefined ? null : (parsed(address) as Address | null)
  return parsedAddress === null ? null : { subject: parsedAddress.subject, address: parsedAddress, entries: Number.POSITIVE_INFINITY }
}

async function* subjectsOf(storage: ArchivedStorage, named: readonly string[] | undefined): AsyncGenerator<string> {
  const { nextSubject } = storage
  if (named !== undefined) yield* named
  else if (nextSubject === undefined) throw usageFailure('This storage keeps no names of licence subjects: name them with --subject.')
  else for (let subject = await nextSubject(''); subject !== null; subject = await nextSubject(subject)) yield subject
}

interface SubjectOptions extends RecordBackupOptions {
  readonly subject: string
  readonly wakeful: ReadonlySet<string>
  /** The last existing item of this subject. */
  readonly after: Item | null
}

async function backUpSubject(storage: ArchivedStorage, writer: BackupWriter, options: SubjectOptions): Promise<void> {
  const { subject, signal, wakeful, after, onProgress } = options
  let seq = after?.entries ?? 0
  while (Number.isFinite(seq)) {
    signal.throwIfAborted()
    const entries = await storage.auditEntries(subject, { after: seq, limit: PAGE_LIMIT })
    if (entries.length === 0) break
    await writer.write(`${JSON.stringify({ type: 'audit', subject, after: seq, entries } satisfies AuditLine)}\n`)
    writer.endItem()
    seq += entries.length
  }
  const from = after?.address ?? null
  const kinds = from === null ? ACTOR_KINDS : ACTOR_KINDS.slice(ACTOR_KINDS.indexOf(from.kind))
  for (const kind of kinds) {
    let last = kind === from?.kind ? from.id : undefined
    for (;;) {
      const ids = await storage.list({ kind, subject, limit: PAGE_LIMIT, ...(last !== undefined && { after: last }) })
      for (const id of ids) {
        signal.throwIfAborted()
        const address = { kind, subject, id }
        await backUpRecord(storage, writer, address, wakeful.has(addressKey(address)))
        onProgress(writer.written(), subject)
      }
      if (ids.length < PAGE_LIMIT) break
      last = ids.at(-1)
    }
  }
}

async function backUpRecord(storage: ArchivedStorage, writer: BackupWriter, address: Address, wakes: boolean): Promise<void> {
  const record = await readWhole(storage, address)
  // Removed meanwhile.
  if (record === null) return
  const { head, rows } = record
  await writer.write(
    `${JSON.stringify({ type: 'record', address, wakes, rows: rows.length, head: toArchivedText(head) } satisfies RecordLine)}\n`
  )
  for (const { collection, id, body } of rows)
    await writer.write(`${JSON.stringify({ type: 'row', collection, id, body: toArchivedText(body) } satisfies RowLine)}\n`)
  writer.endItem()
}

async function readWhole(storage: ArchivedStorage, address: Address) {
  for (let reads = 1; ; reads++) {
    try {
      return await storage.read(address)
    } catch (error) {
      if (!hasCode(error, 'fenced') || reads === READS_MAX) throw error
      await wait(READ_PAUSE_MS * reads)
    }
  }
}

async function readWakeful(storage: ArchivedStorage): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (
    let page = await storage.reminders({ limit: PAGE_LIMIT });
    ;
    page = await storage.reminders({ after: page.next, limit: PAGE_LIMIT })
  ) {
    for (const address of page.addresses) found.add(addressKey(address))
    if (page.next === null) return found
  }
}

interface RestoredRecords {
  readonly restored: number
  /** Existing records that were left unchanged. */
  readonly kept: number
  readonly auditEntries: number
}

function isRow(line: { readonly type: string }): line is RowLine {
  return line.type === 'row'
}

interface RestoreRecordsOptions {
  readonly path: string
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** `path` is a backup that was verified. Each record is restored as a whole or not at all. */
export async function restoreRecords(
  storage: ArchivedStorage,
  { path, signal, onProgress }: RestoreRecordsOptions
): Promise<RestoredRecords> {
  let [restored, kept, auditEntries] = [0, 0, 0]
  let record: RecordLine | null = null
  let rows: StoredRow[] = []
  for await (const { head, offset, bytes } of readLines(path, LINE_BYTES_MAX, signal)) {
    signal.throwIfAborted()
    const line = parsed(head.toString('utf8')) as RecordLine | RowLine | AuditLine | null
    if (!isObject(line)) throw new CommandFailure('A line of the backup is not a JSON object.')
    if (line.type === 'audit') auditEntries += await restoreEntries(storage, line)
    else if (line.type === 'record') [record, rows] = [line, []]
    else if (isRow(line)) rows.push({ collection: line.collection, id: line.id, body: fromArchivedText(line.body) })
    if (record !== null && rows.length === record.rows) {
      const { address, wakes } = record
      const created = await storage.create(address, { head: fromArchivedText(record.head), put: rows, remove: [], wakes })
      if (created === null) kept += 1
      else restored += 1
      record = null
    }
    onProgress(offset + bytes + 1)
  }
  return { restored, kept, auditEntries }
}

/** Appends the entries that the trail lacks, and resolves to their number. Links are recomputed: equal entries give equal links. */
async function restoreEntries(storage: ArchivedStorage, { subject, after, entries }: AuditLine): Promise<number> {
  const known = await storage.auditEntries(subject, { after, limit: entries.length })
  const isSame = known.every((entry, at) => JSON.stringify(toComparable(entry)) === JSON.stringify(toComparable(entries[at])))
  if (!isSame) throw new CommandFailure('The storage has another audit trail of one of these licence subjects: restore into an empty one.')
  const missing = entries.slice(known.length)
  if (missing.length === 0) return 0
  const address: Address = { kind: 'session', subject, id: CARRIER_ID }
  const changes = { head: null, put: [], remove: [] }
  const token = (await storage.create(address, changes)) ?? (await storage.activate(address))?.token
  if (token === undefined) throw new CommandFailure('The storage is written by another while it is restored.')
  await storage.remove(address, await storage.commit(address, token, { ...changes, audit: missing }))
  return missing.length
}

function toComparable(entry: AuditEntry | undefined): unknown {
  return entry === undefined ? null : Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))
}
