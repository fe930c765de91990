/**
 * Documents in memory with real transactions. Writes are invisible until the commit, and then visible at once. The first writer of a
 * document holds it. Another transaction fails if it writes that document, or if it reads or writes one that changed after it began
 * (MongoDB would show the old state; that it must not write is the same). Names of documents are texts.
 */
import { BSON } from 'mongodb'
import type { WireDocument } from './mongo-wire.js'

export class MongoRefusal extends Error {
  readonly code: number
  readonly codeName: string
  readonly isTransient: boolean

  constructor(code: number, codeName: string, isTransient = false) {
    super(codeName)
    this.code = code
    this.codeName = codeName
    this.isTransient = isTransient
  }
}

interface Entry {
  /** Null once deleted. */
  document: WireDocument | null
  /** Number of commits at its last write. */
  changedAt: number
  heldBy: StoreTransaction | null
}

export interface StoreTransaction {
  readonly begunAt: number
  readonly writes: Map<Entry, WireDocument | null>
}

export interface MongoStore {
  begin(): StoreTransaction
  find(collection: string, filter: WireDocument, transaction: StoreTransaction | null): WireDocument[]
  /** Null deletes. Throws MongoRefusal `WriteConflict`. */
  write(collection: string, id: string, document: WireDocument | null, transaction: StoreTransaction): void
  commit(transaction: StoreTransaction): void
  abort(transaction: StoreTransaction): void
  /** Resolves when any transaction has ended. */
  nextEnd(): Promise<void>
}

const writeConflict = () => new MongoRefusal(112, 'WriteConflict', true)

export function createMongoStore(): MongoStore {
  const collections = new Map<string, Map<string, Entry>>()
  let commits = 0
  const ended: (() => void)[] = []

  const entriesOf = (collection: string) => {
    const known = collections.get(collection) ?? new Map<string, Entry>()
    collections.set(collection, known)
    return known
  }
  const end = (transaction: StoreTransaction) => {
    for (const entry of transaction.writes.keys()) entry.heldBy = null
    for (const tell of ended.splice(0)) tell()
  }

  return {
    begin: () => ({ begunAt: commits, writes: new Map() }),
    find(collection, filter, transaction) {
      const entries = entriesOf(collection)
      const id = filter['_id']
      const named = typeof id === 'string' ? [id] : isObject(id) && Array.isArray(id['$in']) ? (id['$in'] as string[]) : null
      const candidates =
        named === null ? [...entries.values()] : named.map((name) => entries.get(name)).filter((entry) => entry !== undefined)
      return candidates.flatMap((entry) => {
        const own = transaction?.writes.get(entry)
        const document = own === undefined ? entry.document : own
        if (document === null || !isMatch(document, filter)) return []
        if (own === undefined && transaction !== null && entry.changedAt > transaction.begunAt) throw writeConflict()
        return [document]
      })
    },
    write(collection, id, document, transaction) {
      const entries = entriesOf(collection)
      const entry = entries.get(id) ?? { document: null, changedAt: 0, heldBy: null }
      entries.set(id, entry)
      if ((entry.heldBy ?? transaction) !== transaction || entry.changedAt > transaction.begunAt) throw writeConflict()
      entry.heldBy = transaction
      transaction.writes.set(entry, document)
    },
    commit(transaction) {
      commits += 1
      for (const [entry, document] of transaction.writes) Object.assign(entry, { document, changedAt: commits })
      end(transaction)
    },
    abort: end,
    nextEnd: () => new Promise((resolve) => void ended.push(resolve))
  }
}

/** Supports equality, `$gt`, `$lte` and `$in`. */
function isMatch(document: WireDocument, filter: WireDocument): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const value = document[name]
    if (!isObject(wanted)) return value === wanted
    // A missing field compares with nothing.
    if (value === undefined) return false
    return Object.entries(wanted).every(([operator, operand]) => {
      if (operator === '$in') return (operand as unknown[]).includes(value)
      if (operator === '$gt') return isOrdered(operand, value) && value !== operand
      if (operator === '$lte') return isOrdered(value, operand)
      throw new MongoRefusal(2, 'BadValue')
    })
  })
}

function isOrdered(low: unknown, high: unknown): boolean {
  return typeof low === 'number' ? low <= (high as number) : String(low) <= String(high)
}

/** Applies a replacement, or `$set`, `$unset` and `$inc`. */
export function updated(document: WireDocument, update: WireDocument): WireDocument {
  const operators = Object.keys(update)
  if (!operators.some((name) => name.startsWith('$'))) return { ...update, _id: document['_id'] }
  const changed = { ...document, ...(update['$set'] as WireDocument | undefined) }
  for (const name of Object.keys((update['$unset'] as WireDocument | undefined) ?? {})) Reflect.deleteProperty(changed, name)
  for (const [name, by] of Object.entries((update['$inc'] as WireDocument | undefined) ?? {}))
    changed[name] = Number(changed[name] ?? 0) + Number(by)
  if (operators.some((name) => !['$set', '$unset', '$inc'].includes(name))) throw new MongoRefusal(9, 'FailedToParse')
  return changed
}

/** Sorts ascending by one field, takes at most `limit` (0: all), and projects. */
export function arranged(documents: WireDocument[], { sort, limit = 0, projection }: WireDocument): WireDocument[] {
  const field = Object.keys((sort as WireDocument | undefined) ?? {})[0]
  if (field !== undefined) documents.sort((a, b) => (isOrdered(a[field], b[field]) ? -1 : 1))
  const few = Number(limit) === 0 ? documents : documents.slice(0, Number(limit))
  const wanted = Object.keys((projection as WireDocument | undefined) ?? {})
  return wanted.length === 0
    ? few
    : few.map((document) => Object.fromEntries(Object.entries(document).filter(([name]) => name === '_id' || wanted.includes(name))))
}

/** Returns as many of the first documents as fit into one reply. */
export function nextBatch(documents: WireDocument[], batchSize: number): WireDocument[] {
  let bytes = 0
  let count = 0
  while (count < Math.min(batchSize, documents.length)) {
    bytes += BSON.calculateObjectSize(documents[count] as WireDocument)
    if (count > 0 && bytes > 16 * 1024 * 1024) break
    count += 1
  }
  return documents.splice(0, count)
}

function isObject(value: unknown): value is WireDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
