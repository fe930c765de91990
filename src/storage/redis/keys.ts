/**
 * Where a record lies in Redis. All keys of one licence subject carry one hash tag, so that a script may touch a record, the list
 * of its subject's records and the subject's audit trail at once. The tag is a hash: no subject can break a key or guess another's.
 */
import { createHash } from 'node:crypto'
import type { Address } from '../../domain/address.js'
import { fromKeyBytes, toKeyBytes } from '../key-bytes.js'

const PREFIX = 'engram'

/** Version of the layout, where it is not the first. */
export const LAYOUT_KEY = `${PREFIX}:layout`

const REMINDERS = 'wakeful'

/** Characters of a subject's hash. */
const HASH_LENGTH = 43

/** As Redis matches it, every subject's key of reminders. Each `?` is one character, so that no id at a key's end can pass for it. */
export const REMINDERS_PATTERN = `${PREFIX}:{${'?'.repeat(HASH_LENGTH)}}:${REMINDERS}`

/** As Redis matches it, the keys of every audit trail. */
export const AUDIT_PATTERN = `${PREFIX}:{${'?'.repeat(HASH_LENGTH)}}:audit:*`

export interface RecordKeys {
  /** Hash: `e` epoch, `b` epoch of its making, `v` version, `h` head. A tombstone of an earlier version has the epoch alone. */
  readonly record: Buffer
  /** Hash: one field a row. */
  readonly rows: Buffer
  /** The rows that a removed record left, as one body, and its epoch; Redis drops both. */
  readonly tombstone: Buffer
  readonly lastEpoch: Buffer
  /** Sorted set of the live records' ids, all of score 0, so that it sorts by their bytes. */
  readonly ids: string
  readonly audit: AuditKeys
  /** Sorted set of the subject's records that want to be woken, by the names of their addresses, all of score 0. */
  readonly reminders: string
}

export interface AuditKeys {
  /** List: 32 bytes of link hash, then the entry's text. */
  readonly entries: string
  /** Hash: `n` entries, `h` hash of the last link: an entry missing at the end shows. */
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

/** Name of a subject's audit trail: the hash that its keys are tagged with, for the subject itself is kept nowhere in it. */
export function toTrail(subject: string): string {
  return createHash('sha256').update(toKeyBytes(subject)).digest('base64url')
}

export function toAuditKeys(trail: string): AuditKeys {
  return { entries: `${PREFIX}:{${trail}}:audit:entries`, end: `${PREFIX}:{${trail}}:audit:end` }
}

/** The trail that a key fitting AUDIT_PATTERN belongs to. */
export function fromAuditKey(key: string): string {
  return key.slice(key.indexOf('{') + 1, key.indexOf('}'))
}

/** Name of a row's field. Injective: the collection's length stands before it. */
export function toRowField({ collection, id }: { readonly collection: string; readonly id: string }): Buffer {
  return toKeyBytes(`${collection.length}:${collection}${id}`)
}

/** What `toRowField` was given. */
export function fromRowField(field: Uint8Array): { collection: string; id: string } {
  const name = fromKeyBytes(field)
  const lengthEnd = name.indexOf(':')
  const collectionEnd = lengthEnd + 1 + Number(name.slice(0, lengthEnd))
  return { collection: name.slice(lengthEnd + 1, collectionEnd), id: name.slice(collectionEnd) }
}

function toTag(subject: string): string {
  return `{${toTrail(subject)}}`
}
