/** Format version of a stored record, its head and its rows. Every kind of actor writes it into the head. */
import { DomainError } from '../../src/domain/errors.js'

/**
 * Latest format that this version reads. Raise it for changes that an earlier version would misread, not for optional fields: a record
 * without them means what it did before.
 */
export const RECORD_FORMAT = 2

/** The head of a session lies within that of its record. */
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
