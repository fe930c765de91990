/** Bodies of records as text, for backups: MessagePack as storages keep it, in base64. */
import { decodeBody, encodeBody } from '../storage/record-codec.js'

export function toArchivedText(body: unknown): string {
  return encodeBody(body).toString('base64')
}

/** What `toArchivedText` was given. Throws for a text that is not its own. */
export function fromArchivedText(text: string): unknown {
  return decodeBody(Buffer.from(text, 'base64'))
}
