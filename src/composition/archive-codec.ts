/** Bodies of records as text for backups: the MessagePack that storages keep, in base64. */
import { decodeBody, encodeBody } from '../storage/record-codec.js'

export function toArchivedText(body: unknown): string {
  return encodeBody(body).toString('base64')
}

/** Inverse of `toArchivedText`. Throws for any other text. */
export function fromArchivedText(text: string): unknown {
  return decodeBody(Buffer.from(text, 'base64'))
}
