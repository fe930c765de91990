/** Storage in the memory of this process. Bodies are kept by reference: nobody changes a body after handing it over. */
import { type Address, addressKey } from '../domain/address.js'
import { mapOf, removeFrom } from '../domain/collections/by-key.js'
import { takenOver } from '../domain/errors.js'
import { LeanMap } from '../domain/collections/lean-map.js'
import { TOMBSTONE_S } from '../domain/limits.js'
import type { ActorStorage, Clock, RecordChanges, StoredRow, WriteToken } from '../ports.js'

interface MemoryRecord {
  token: WriteToken
  head: unknown
  /** Bodies, by collection and id. */
  readonly rows: LeanMap<string, LeanMap<string, unknown>>
}

interface MemoryTombstone {
  readonly epoch: number
  readonly rows: readonly StoredRow[]
  /** Epoch seconds. */
  readonly at: number
}

interface MemoryStorageOptions {
  readonly retains: boolean
  /** Used for the age of tombstones. Default: they never expire. */
  readonly clock?: Pick<Clock, 'now'>
}

/**
 * With `retains` false a record lives only as long as its owner: `release` drops it, so memory is bounded by the live actors. With
 * `retains` true records stay until they are removed, and a tombstone keeps the epoch of a removed one for TOMBSTONE_S.
 */
export function createMemoryStorage(options: MemoryStorageOptions): ActorStorage {
  /** By kind and subject, then by id, so that a listing touches one subject only. */
  const owners = new Map<string, Map<string, MemoryRecord>>()
  const tombstones = new Map<string, Map<string, MemoryTombstone>>()
  /** Addresses of the records that want to be woken, by address key. */
  const reminders = new Map<string, Address>()
  /**
   * Highest epoch of any record dropped without a tombstone. New records start above it, so that late writers of dropped ones stay fenced.
   */
  let forgottenEpoch = 0

  const find = (address: Address) => owners.get(ownerKey(address))?.get(address.id)
  const held = (address: Address, token: WriteToken): MemoryRecord => {
    const record = find(address)
    if (record === undefined || !isSame(record.token, token)) throw takenOver()
    return record
  }
  const drop = (address: Address) => {
    removeFrom(owners, ownerKey(address), address.id)
    reminders.delete(addressKey(address))
  }
  const setWakes = (address: Address, wakes: boolean | undefined) => {
    if (wakes === true) reminders.set(addressKey(address), address)
    else reminders.delete(addressKey(address))
  }
  const forget = ({ epoch }: Pick<WriteToken, 'epoch'>) => {
    forgottenEpoch = Math.max(forgottenEpoch, epoch)
  }
  const now = () => options.clock?.now() ?? 0
  const tombstoneOf = (address: Address) => tombstones.get(ownerKey(address))?.get(address.id)
  const epochBefore = (address: Address) => tombstoneOf(address)?.epoch ?? forgottenEpoch

  return {
    isDurable: options.retains,
    async create(address, changes, tombstoneEpoch) {
      if (find(address) !== undefined) return null
      if (tombstoneEpoch !== undefined && options.retains && (tombstoneOf(address)?.epoch ?? 0) !== tombstoneEpoch) return null
      const record: MemoryRecord = { token: { epoch: epochBefore(address) + 1, version: 1 }, head: null, rows: new LeanMap() }
      apply(record, changes)
      mapOf(owners, ownerKey(address)).set(address.id, record)
      tombstones.get(ownerKey(address))?.delete(address.id)
      setWakes(address, changes.wakes)
      return record.token
    },
    async activate(address) {
      const record = find(address)
      if (record === undefined) return null
      record.token = { epoch: record.token.epoch + 1, version: record.token.version }
      return { token: record.token, head: record.head, rows: rowsOf(record) }
    },
    async commit(address, token, changes) {
      const record = held(address, token)
      apply(record, changes)
      setWakes(address, changes.wakes)
      record.token = { epoch: token.epoch, version: token.version + 1 }
      return record.token
    },
    async remove(address, token, rows = []) {
      held(address, token)
      drop(address)
      if (options.retains) mapOf(tombstones, ownerKey(address)).set(address.id, { epoch: token.epoch, rows, at: now() })
      else forget(token)
    },
    async tombstone(address) {
      const found = tombstoneOf(address)
      return found === undefined ? null : { epoch: found.epoch, rows: found.rows }
    },
    async sweep() {
      for (const [owner, kept] of tombstones) {
        for (const [id, tombstone] of kept) {
          if (tombstone.at >= now() - TOMBSTONE_S) continue
          forget(tombstone)
          removeFrom(tombstones, owner, id)
        }
      }
    },
    async verify(address, token) {
      const record = find(address)
      return record !== undefined && isSame(record.token, token)
    },
    async peek(address) {
      const record = find(address)
      return record === undefined ? null : { head: record.head }
    },
    async heads({ kind, subject, ids }) {
      const found = ids.map((id) => [id, find({ kind, subject, id })] as const)
      return new Map(found.flatMap(([id, record]) => (record === undefined ? [] : [[id, record.head]])))
    },
    async list({ kind, subject, after, limit }) {
      const ids = [...(owners.get(ownerKey({ kind, subject }))?.keys() ?? [])]
      return ids
        .filter((id) => after === undefined || id > after)
        .sort((a, b) => (a < b ? -1 : 1))
        .slice(0, limit)
    },
    // Stryker disable next-line StringLiteral: keys begin with a lower case letter, and so sort after any capital letter
    async reminders({ after = '', limit }) {
      const keys = [...reminders.keys()].filter((key) => key > after).sort()
      const page = keys.slice(0, limit)
      return { addresses: page.flatMap((key) => reminders.get(key) ?? []), next: keys.length > limit ? (page.at(-1) ?? null) : null }
    },
    async release(address, token) {
      held(address, token)
      if (options.retains) return
      forget(token)
      drop(address)
    },
    async check() {},
    // Nothing lies on a disk.
    async purge() {},
    async close() {
      owners.clear()
      tombstones.clear()
      reminders.clear()
    }
  }
}

function apply(record: MemoryRecord, changes: RecordChanges): void {
  record.head = changes.head
  if (changes.clear === true) record.rows.clear()
  for (const { collection, id } of changes.remove) record.rows.get(collection)?.delete(id)
  for (const { collection, id, body } of changes.put) {
    const known = record.rows.get(collection)
    if (known === undefined) record.rows.set(collection, new LeanMap<string, unknown>().set(id, body))
    else known.set(id, body)
  }
}

function rowsOf({ rows }: MemoryRecord): StoredRow[] {
  const all: StoredRow[] = []
  for (const [collection, bodies] of rows) for (const [id, body] of bodies) all.push({ collection, id, body })
  return all
}

/** Kinds contain no colon, so the first one ends the kind whatever the subject contains. */
function ownerKey(owner: Pick<Address, 'kind' | 'subject'>): string {
  return `${owner.kind}:${owner.subject}`
}

function isSame(a: WriteToken, b: WriteToken): boolean {
  return a.epoch === b.epoch && a.version === b.version
}
