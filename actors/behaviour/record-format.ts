/** The format of a stored record: of its head and of the rows beside it, which every kind of actor writes into its head. */
import { DomainError } from '../../src/domain/errors.js'

/**
 * The latest format that this version reads. Fields that were added without which a record means what it did before have not raised it: an
 * absent one is read as nothing. It is to be raised for what an earlier version would misread.
 */
export const RECORD_FORMAT = 2

/** Of a session the head lies within that of the record. */
interface FormattedHead {
  readonly format?: unknown
  readonly session?: { readonly format?: unknown }
}

/** Throws DomainError `storage_unavailable` for the head of a record that a later version wrote: another node may know it. */
export function requireKnownFormat(head: unknown): void {
  const { format, session } = (head ?? {}) as FormattedHead
  const found = format ?? session?.format
  if (typeof found !== 'number' || found <= RECORD_FORMAT) return
  throw new DomainError(
    'storage_unavailable',
    `The record was written by a later version of the service: it has format ${String(found)}, and this node reads up to ${String(RECORD_FORMAT)}`
  )
}
