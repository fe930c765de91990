/** Reads a file to import piece by piece: lines of JSON, or one JSON document. */
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type ImportedItem, ImportFormatError, type ImportFormat, toRecord, toText } from './formats.js'
import { fromMem0, isMem0, mem0List } from './mem0.js'
import { conversationOf, fromMessage, fromStoredMessage, isMessage, isStoredMessage, type MessageDefaults } from './messages.js'

/** Maximum bytes of a JSON document, which is read whole. Lines of JSON have no limit in number. */
const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024

/** Maximum characters of one line. */
const LINE_LENGTH_MAX = 64 * 1024 * 1024

/** Bytes that are inspected to tell lines of JSON from a document. */
const HEAD_BYTES = 64 * 1024

const NOBODY: MessageDefaults = { conversation: null, userId: null }

/** Without `format` it is detected from the start of the file. Throws ImportFormatError. */
export async function* readImport(path: string, format: ImportFormat | undefined): AsyncGenerator<ImportedItem> {
  if (await isLines(path)) {
    let number = 0
    for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1
      if (line.trim() === '') continue
      if (line.length > LINE_LENGTH_MAX)
        throw new ImportFormatError(`Line ${String(number)} is longer than ${String(LINE_LENGTH_MAX)} characters.`)
      // A conversation without a name is named after its line.
      yield* fromValue(parsed(line, `Line ${String(number)}`), format, { ...NOBODY, conversation: null }, `line-${String(number)}`)
    }
    return
  }
  const { size } = await stat(path)
  if (size > DOCUMENT_BYTES_MAX)
    throw new ImportFormatError(`A JSON document may have ${String(DOCUMENT_BYTES_MAX)} bytes: write it as lines of JSON.`)
  yield* fromDocument(parsed(await readFile(path, 'utf8'), 'The file'), format)
}

/** Whether the first line is a complete JSON value and more follows, or the file's extension says so. */
async function isLines(path: string): Promise<boolean> {
  if (/\.(jsonl|ndjson)$/i.test(path)) return true
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { end: HEAD_BYTES - 1 })
  let head = ''
  for await (const chunk of chunks) head += chunk.toString()
  const [first = '', ...rest] = head.trimStart().split('\n')
  if (rest.join('').trim() === '') return false
  try {
    return toRecord(JSON.parse(first)) !== null
  } catch {
    return false
  }
}

function* fromDocument(value: unknown, format: ImportFormat | undefined): Generator<ImportedItem> {
  const list = mem0List(value)
  if (list !== null) {
    for (const item of list) yield* fromValue(item, format, NOBODY, null)
    return
  }
  const record = toRecord(value)
  if (record === null) throw new ImportFormatError('The file holds neither an object nor a list.')
  if (Array.isArray(record['messages'])) {
    yield* fromValue(record, format, NOBODY, null)
    return
  }
  // Message histories, keyed by session.
  const histories = Object.entries(record)
  if (histories.length === 0 || !histories.every(([, history]) => Array.isArray(history)))
    throw new ImportFormatError('The file is no export of mem0, no message history and no list of messages.')
  for (const [conversation, history] of histories)
    for (const message of history as readonly unknown[]) yield* fromValue(message, format, { ...NOBODY, conversation }, null)
}

/** `name` is for conversations that have none. */
function* fromValue(
  value: unknown,
  format: ImportFormat | undefined,
  defaults: MessageDefaults,
  name: string | null
): Generator<ImportedItem> {
  const record = toRecord(value)
  if (record === null) {
    yield { skipped: 'not an object' }
    return
  }
  const own = { conversation: conversationOf(record) ?? defaults.conversation, userId: toText(record['user_id']) ?? defaults.userId }
  const messages = record['messages'] ?? record['history']
  if (Array.isArray(messages)) {
    for (const message of messages as readonly unknown[])
      yield* fromValue(message, format, { ...own, conversation: own.conversation ?? name }, name)
    return
  }
  const wrapped = toRecord(record['message']) ?? toRecord(record['History'])
  if (wrapped !== null) yield* fromValue(wrapped, format, own, name)
  else if (format === 'mem0' || (format === undefined && isMem0(value))) yield* fromMem0(value)
  else if (format === 'langchain' || (format === undefined && isStoredMessage(value))) yield* fromStoredMessage(value, own)
  else if (format === 'jsonl' || isMessage(value)) yield* fromMessage(value, own)
  else throw new ImportFormatError('The file holds something else than memories and messages: --format says what it should be.')
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new ImportFormatError(`${where} is no JSON.`)
  }
}
