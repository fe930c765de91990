/** A user's partition as one self-contained value: what serialise gives out. */
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
 * The `state` of a partition as JSON text in chunks; returns its checksum, which is also its last field: as of a session's export, the
 * SHA-256 of the canonical JSON of everything else. Each session is there as its own `state_dict`, which can be imported. A chunk may
 * be empty: time was spent, and nothing can be written yet.
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

/** Without the closing brace, for the checksum goes in before it. Keys in the order of canonical JSON. */
function* canonicalChunks({ userId, sessions }: PartitionDocument): Generator<string, void> {
  yield `{"format":${JSON.stringify(FORMAT)},"sessions":{`
  for (const [at, { sessionId, document }] of sessions.entries()) {
    yield `${at === 0 ? '' : ','}${JSON.stringify(sessionId)}:`
    yield* canonicalDocumentJson(document)
  }
  yield `},"user_id":${JSON.stringify(userId)},"version":${VERSION}`
}
