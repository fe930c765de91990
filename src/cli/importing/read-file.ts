/** Reads a file to import piece by piece: lines of JSON, or one JSON document. */
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { CommandFailure } from '../console/failure.js'
import { type ImportedItem, type ImportFormat, type Item, toRecord, toText } from './formats.js'
import { fromMem0, isMem0 } from './mem0.js'
import { conversationOf, fromMessage, fromStoredMessage, isMessage, isStoredMessage, type MessageDefaults } from './messages.js'
import { fromRedisMemory, isRedisMemory } from './redis.js'
import { fromZepFact, isZepFact } from './zep.js'

/** Maximum bytes of a JSON document, which is read whole. Lines of JSON have no limit in number. */
const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024

/** Maximum characters of one line. */
const LINE_LENGTH_MAX = 64 * 1024 * 1024

/** Bytes that are inspected to tell lines of JSON from a document. */
const HEAD_BYTES = 64 * 1024

const NOBODY: MessageDefaults = { conversation: null, userId: null }

/** Without `format` it is detected from the start of the file. Throws CommandFailure for a file in another format. */
export async function* readImport(path: string, format: ImportFormat | undefined): AsyncGenerator<ImportedItem> {
  if (await isLines(path)) {
    let number = 0
    for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1
      if (line.trim() === '') continue
      if (line.length > LINE_LENGTH_MAX)
        throw new CommandFailure(`Line ${String(number)} is longer than ${String(LINE_LENGTH_MAX)} characters.`)
      // A conversation without a name is named after its line.
      yield* fromValue(parsed(line, `Line ${String(number)}`), format, NOBODY, `line-${String(number)}`)
    }
    return
  }
  const { size } = await stat(path)
  if (size > DOCUMENT_BYTES_MAX)
    throw new CommandFailure(`A JSON document may have ${String(DOCUMENT_BYTES_MAX)} bytes: write it as lines of JSON.`)
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
  const record = toRecord(value)
  if (record !== null && Array.isArray(record['messages'])) {
    yield* fromValue(record, format, NOBODY, null)
    return
  }
  const list = [record?.['results'], record?.['memories'], record?.['edges'], value].find((candidate) => Array.isArray(candidate))
  if (list !== undefined) {
    for (const item of list as readonly unknown[]) yield* fromValue(item, format, NOBODY, null)
    return
  }
  if (record === null) throw new CommandFailure('The file holds neither an object nor a list.')
  // Message histories, keyed by session.
  const histories = Object.entries(record)
  if (histories.length === 0 || !histories.every(([, history]) => Array.isArray(history)))
    throw new CommandFailure('The file is no export of mem0, Redis or Zep, no message history and no list of messages.')
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
    // The working memory of Redis has facts beside its messages.
    const memories: unknown = record['memories']
    const items = Array.isArray(memories) ? [...(messages as unknown[]), ...(memories as unknown[])] : (messages as readonly unknown[])
    for (const item of items) yield* fromValue(item, format, { ...own, conversation: own.conversation ?? name }, name)
    return
  }
  const wrapped = toRecord(record['message']) ?? toRecord(record['History'])
  if (wrapped !== null) {
    yield* fromValue(wrapped, format, own, name)
    return
  }
  const reader = readerOf(record, format)
  if (reader === undefined)
    throw new CommandFailure('The file holds something else than memories and messages: --format says what it should be.')
  yield* reader.read(record, own)
}

interface Reader {
  readonly format: ImportFormat
  readonly isIts: (item: Item) => boolean
  readonly read: (item: Item, defaults: MessageDefaults) => Generator<ImportedItem>
}

const MESSAGES: Reader = { format: 'jsonl', isIts: isMessage, read: fromMessage }

/** Readers of single items, in the order in which they are tried. */
const READERS: readonly Reader[] = [
  { format: 'mem0', isIts: isMem0, read: fromMem0 },
  { format: 'langchain', isIts: isStoredMessage, read: fromStoredMessage },
  { format: 'redis', isIts: isRedisMemory, read: fromRedisMemory },
  { format: 'zep', isIts: isZepFact, read: fromZepFact },
  MESSAGES
]

/** Formats whose files hold plain messages as well. */
const WITH_MESSAGES: ReadonlySet<ImportFormat | undefined> = new Set(['redis', 'zep'])

function readerOf(item: Item, format: ImportFormat | undefined): Reader | undefined {
  if (WITH_MESSAGES.has(format) && isMessage(item)) return MESSAGES
  return READERS.find((reader) => (format === undefined ? reader.isIts(item) : reader.format === format))
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new CommandFailure(`${where} is no JSON.`)
  }
}
