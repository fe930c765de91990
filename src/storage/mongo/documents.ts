/** Documents in MongoDB and their keys. Names are encoded so that MongoDB sorts them as this code does, whatever they contain. */
import { createHash } from 'node:crypto'
import type { Address } from '../../domain/address.js'
import { DomainError } from '../../domain/errors.js'
import type { StoredRow } from '../../ports.js'
import { fromKeyBytes, toKeyBytes } from '../key-bytes.js'
import { encodeBody } from '../record-codec.js'

export interface RecordDocument {
  readonly _id: string
  readonly kind: string
  /** Hash of the licence subject: of fixed length, and it hides from database administrators who the customers are. */
  readonly subject: string
  readonly id: string
  /** False: a tombstone, which keeps the epoch until it expires. */
  readonly is_live: boolean
  readonly epoch: number
  /** Epoch at its creation. */
  readonly born: number
  readonly version: number
  /** Absent in a tombstone. */
  readonly head?: Uint8Array
  /** Expiry of a tombstone, when MongoDB deletes it. */
  readonly expires_at?: Date
  /** Name of the address, present only while the record wants to be woken: the subject cannot be recovered from its hash. */
  readonly wakeful?: string
}

export interface RowDocument {
  readonly _id: string
  readonly record: string
  readonly collection: string
  readonly row: string
  readonly body: Uint8Array
}

/** The rows that a removed record left. MongoDB deletes the document when it expires. */
export interface TombstoneDocument {
  /** Key of the record. */
  readonly _id: string
  readonly rows: Uint8Array
  readonly expires_at: Date
}

export interface AuditLineDocument {
  readonly _id: string
  readonly subject: string
  /** From 1. */
  readonly seq: number
  /** Canonical JSON. */
  readonly entry: string
  readonly previous_hash: string
  readonly hash: string
}

/** The end of a subject's chain. It reveals missing entries at the end. */
export interface AuditEndDocument {
  /** Hash of the subject. */
  readonly _id: string
  readonly seq: number
  readonly hash: string
}

/**
 * Maximum bytes of one body. MongoDB refuses documents over 16 MiB. Beside the body stand short names and, twice, the id of a row: at most
 * ENTITY_KEY_LENGTH_MAX units of three bytes, each of which takes two here.
 */
const BODY_BYTES_MAX = 16 * 1024 * 1024 - 64 * 1024

interface RecordName {
  readonly kind: string
  readonly subject: string
  readonly id: string
}

export function toRecordName({ kind, subject, id }: Address): RecordName {
  return { kind, subject: toSubjectName(subject), id: toName(id) }
}

export function toRecordKey(address: Address): string {
  const { kind, subject, id } = toRecordName(address)
  // The hash has a fixed length and kinds contain no colon, so no two addresses share a key.
  return `${kind}:${subject}:${id}`
}

export function toSubjectName(subject: string): string {
  return createHash('sha256').update(toKeyBytes(subject)).digest('base64url')
}

/** Maps each byte of the key to one character: MongoDB sorts it as the bytes are sorted, and ASCII stays readable. */
export function toName(text: string): string {
  return toKeyBytes(text).toString('latin1')
}

/** Inverse of `toName`. */
export function fromName(name: string): string {
  return fromKeyBytes(Buffer.from(name, 'latin1'))
}

export function toRowKey(record: string, { collection, id }: { readonly collection: string; readonly id: string }): string {
  // Lengths precede the parts of variable length, so no two rows share a key.
  return `${record.length}:${record}${collection.length}:${toName(`${collection}${id}`)}`
}

/** Throws `limit_reached` for a body that does not fit. */
export function toRowDocument(record: string, row: StoredRow): RowDocument {
  return { _id: toRowKey(record, row), record, collection: toName(row.collection), row: toName(row.id), body: toBody(row.body) }
}

/** Throws `limit_reached` for a body that does not fit. */
export function toBody(value: unknown): Uint8Array {
  const bytes = encodeBody(value)
  if (bytes.byteLength > BODY_BYTES_MAX)
    throw new DomainError('limit_reached', 'A document to be stored is larger than the 16 MiB that MongoDB allows')
  return bytes
}
