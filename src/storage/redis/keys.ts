/**
 * Keys of records in Redis. All keys of one licence subject carry the same hash tag, so that one script may touch a record, the list of the
 * subject's records and its audit trail. The tag is a hash, so no subject can break a key or guess another's.
 */
import { createHash } from 'node:crypto'
import type { Address } from '../../domain/address.js'
import { fromKeyBytes, toKeyBytes } from '../key-bytes.js'

const PREFIX = 'engram'

/** Holds the version of the layout, unless it is the first. */
export const LAYOUT_KEY = `${PREFIX}:layout`

/** Written by a check whether the server takes writes. */
export const PROBE_KEY = `${PREFIX}:probe`

const REMINDERS = 'wakeful'

/** Characters of a subject's hash. */
const HASH_LENGTH = 43

/** Redis pattern of every subject's key of reminders. Each `?` matches one character, so an id at the end of a key cannot match. */
export const REMINDERS_PATTERN = `${PREFIX}:{${'?'.repeat(HASH_LENGTH)}}:${REMINDERS}`

/** Redis pattern of the keys of every audit trail. */
export const AUDIT_PATTERN = `${PREFIX}:{${'?'.repeat(HASH_LENGTH)}}:audit:*`

/** Key that nothing is stored under, in a slot of a cluster that depends on the number. */
export function keyInSlot(number: number): string {
  return `${PREFIX}:{${number}}`
}

export interface RecordKeys {
  /** Hash: `e` epoch, `b` epoch at creation, `v` version, `h` head. A tombstone of an earlier version has only the epoch. */
  readonly record: Buffer
  /** Hash: one field per row. */
  readonly rows: Buffer
  /** The rows that a removed record left, as one body, and its epoch below. Redis expires both. */
  readonly tombstone: Buffer
  readonly lastEpoch: Buffer
  /** Sorted set of the live records' ids, all with score 0, so that it is sorted by their bytes. */
  readonly ids: string
  readonly audit: AuditKeys
  /** Sorted set of the subject's records that want to be woken, by address name, all with score 0. */
  readonly reminders: string
}

interface AuditKeys {
  /** List: each item is the 32 bytes of a link's hash, then the entry's text. */
  readonly entries: string
  /** Hash: `n` number of entries, `h` hash of the last link. It reveals missing entries at the end. */
  readonly end: string
}

export function toRecordKeys(address: Address): RecordKeys {
  const tag = toTag(address.subject)
  const id = toKeyBytes(address.id)
  return {
    record: Buffer.concat([Buffer.from(`${PREFIX}:${tag}:${address.kind}:record:`), id]),
    rows: Buffer.concat([Buffer.from(`${PREFIX}:${tag}:${address.kind}:rows:`), id]),
    tombstone: Buffer.concat([Buffer.from(`${PREFIX}:${tag}:${address.kind}:tombstone:`), id]),
    lastEpoch: Buffer.concat([Buffer.from(`${PREFIX}:${tag}:${address.kind}:epoch:`), id]),
    ids: toIdsKey(address),
    audit: toAuditKeys(toTrail(address.subject)),
    reminders: `${PREFIX}:${tag}:${REMINDERS}`
  }
}

export function toIdsKey({ kind, subject }: Pick<Address, 'kind' | 'subject'>): string {
  return `${PREFIX}:${toTag(subject)}:${kind}:ids`
}

/** Name of a subject's audit trail: the hash that tags its keys. The subject itself is stored nowhere in the trail. */
export function toTrail(subject: string): string {
  return createHash('sha256').update(toKeyBytes(subject)).digest('base64url')
}

export function toAuditKeys(trail: string): AuditKeys {
  return { entries: `${PREFIX}:{${trail}}:audit:entries`, end: `${PREFIX}:{${trail}}:audit:end` }
}

/** Returns the trail of a key that matches AUDIT_PATTERN. */
export function fromAuditKey(key: string): string {
  return key.slice(key.indexOf('{') + 1, key.indexOf('}'))
}

/** Name of a row's field. Injective: the collection is preceded by its length. */
export function toRowField({ collection, id }: { readonly collection: string; readonly id: string }): Buffer {
  return toKeyBytes(`${collection.length}:${collection}${id}`)
}

/** Inverse of `toRowField`. */
export function fromRowField(field: Uint8Array): { collection: string; id: string } {
  const name = fromKeyBytes(field)
  const lengthEnd = name.indexOf(':')
  const collectionEnd = lengthEnd + 1 + Number(name.slice(0, lengthEnd))
  return { collection: name.slice(lengthEnd + 1, collectionEnd), id: name.slice(collectionEnd) }
}

function toTag(subject: string): string {
  return `{${toTrail(subject)}}`
}
