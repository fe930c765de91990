/** An address as one text, for storages whose keys hold hashes of subjects and so cannot be turned back into addresses. */
import type { Address } from '../domain/address.js'

/** Injective, and well-formed Unicode without a NUL whatever the subject and the id contain: JSON escapes both. */
export function toAddressName({ kind, subject, id }: Address): string {
  return JSON.stringify([kind, subject, id])
}

/** The address that `toAddressName` was given. */
export function fromAddressName(name: string): Address {
  const [kind, subject, id] = JSON.parse(name) as [Address['kind'], string, string]
  return { kind, subject, id }
}
