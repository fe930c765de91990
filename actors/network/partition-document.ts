/** Partition of a user as one self-contained value, for `network.serialize`. */
import { createHash } from 'node:crypto'
import { canonicalDocumentJson, type SessionDocument } from '../session/record/document.js'

const FORMAT = 'engram.partition'
const VERSION = 1

export interface PartitionDocument {
  readonly userId: string
  /** Ascending by id. */
  readonly sessions: readonly { readonly sessionId: string; readonly document: SessionDocument }[]
}

/**
 * Yields the `state` of a partition as JSON text in chunks. Returns its checksum, which is also its last field: as in a session's export,
 * the SHA-256 of the canonical JSON of all other fields. Each session is contained as its own `state_dict`, which can be imported. A chunk
 * may be empty, to let other work in while nothing can be written yet.
 */
export function* partitionJson(partition: PartitionDocument): Generator<string, string> {
  const hash = createHash('sha256')
  for (const chunk of canonicalChunks(partition)) {
    hash.update(chunk, 'utf8')
    yield chunk
  }
  hash.update('}', 'utf8')
  const checksum = hash.digest('hex')
  yield `,"checksum":"${checksum}"}`
  return checksum
}

/** Yields canonical JSON without the closing brace, before which the checksum is added. */
function* canonicalChunks({ userId, sessions }: PartitionDocument): Generator<string, void> {
  yield `{"format":${JSON.stringify(FORMAT)},"sessions":{`
  for (const [at, { sessionId, document }] of sessions.entries()) {
    yield `${at === 0 ? '' : ','}${JSON.stringify(sessionId)}:`
    yield* canonicalDocumentJson(document)
  }
  yield `},"user_id":${JSON.stringify(userId)},"version":${VERSION}`
}
