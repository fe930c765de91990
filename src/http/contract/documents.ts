/** Writes whole sessions and partitions piece by piece, so that none is held as one text or blocks other requests. */
import { type PartitionDocument, partitionJson } from '../../../actors/network/partition-document.js'
import { documentJson, type SessionDocument } from '../../../actors/session/record/document.js'
import type { RunFairly } from './contracts.js'
import { textInSlices } from './text-in-slices.js'

/** `document` is the reply to `session.export`. */
export function exportedText(sessionId: string, document: unknown, runFairly: RunFairly): AsyncGenerator<string> {
  const head = `{"session_id":${JSON.stringify(sessionId)},"state_dict":`
  return withChecksum(head, documentJson(document as SessionDocument), runFairly)
}

/** `partition` is the reply to `network.serialize`. */
export function serializedText(partition: unknown, runFairly: RunFairly): AsyncGenerator<string> {
  const document = partition as PartitionDocument
  return withChecksum(`{"user_id":${JSON.stringify(document.userId)},"state":`, partitionJson(document), runFairly)
}

/** `chunks` returns the checksum. */
async function* withChecksum(head: string, chunks: Generator<string, string>, runFairly: RunFairly): AsyncGenerator<string> {
  yield head
  const checksum = yield* textInSlices(chunks, runFairly)
  yield `,"checksum":${JSON.stringify(checksum)}}`
}
