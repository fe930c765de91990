/** An address as one text, for storages whose keys hold hashes of subjects and so cannot be turned back into addresses. */
import type { Address } from '../domain/address.js'

/** Injective. The result is well-formed Unicode without NUL, whatever the subject and the id contain: JSON escapes both. */
export function toAddressName({ kind, subject, id }: Address): string {
  return JSON.stringify([kind, subject, id])
}

/** Inverse of `toAddressName`. */
export function fromAddressName(name: string): Address {
  const [kind, subject, id] = JSON.parse(name) as [Address['kind'], string, string]
  return { kind, subject, id }
}
