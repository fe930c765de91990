/** Whole sessions and partitions as HTTP writes them: piece by piece, so that none is held as text or holds up other requests. */
import { type PartitionDocument, partitionJson } from '../../../actors/network/partition-document.js'
import { documentJson, type SessionDocument } from '../../../actors/session/record/document.js'

/** `document` is what `session.export` gave out. */
export function exportedText(sessionId: string, document: unknown, yieldToEventLoop: () => Promise<void>): AsyncGenerator<string> {
  const head = `{"session_id":${JSON.stringify(sessionId)},"state_dict":`
  return withChecksum(head, documentJson(document as SessionDocument), yieldToEventLoop)
}

/** `partition` is what `network.serialize` gave out. */
export function serializedText(partition: unknown, yieldToEventLoop: () => Promise<void>): AsyncGenerator<string> {
  const document = partition as PartitionDocument
  return withChecksum(`{"user_id":${JSON.stringify(document.userId)},"state":`, partitionJson(document), yieldToEventLoop)
}

/** The chunks return their checksum. */
async function* withChecksum(
  head: string,
  chunks: Generator<string, string>,
  yieldToEventLoop: () => Promise<void>
): AsyncGenerator<string> {
  yield head
  let next = chunks.next()
  while (next.done !== true) {
    if (next.value !== '') yield next.value
    await yieldToEventLoop()
    next = chunks.next()
  }
  yield `,"checksum":${JSON.stringify(next.value)}}`
}
