/** Chat messages as stored by LangChain, and in the format of chat completions and its relatives: Zep and Redis among them. */
import { type ImportedItem, type ImportedMemory, type Item, toRecord, toText, toTime } from './formats.js'

const ROLES: Readonly<Record<string, ImportedMemory['role'] | 'left out'>> = {
  human: 'user',
  user: 'user',
  ai: 'assistant',
  assistant: 'assistant',
  model: 'assistant',
  AIMessageChunk: 'assistant',
  HumanMessageChunk: 'user',
  synthetic: 'synthetic',
  memory: 'synthetic',
  system: 'left out',
  developer: 'left out',
  tool: 'left out',
  function: 'left out',
  remove: 'left out'
}

/** Role of memories for a sender; undefined for an unknown one. */
export function roleNamed(name: unknown): ImportedMemory['role'] | 'left out' | undefined {
  return typeof name === 'string' && Object.hasOwn(ROLES, name) ? ROLES[name] : undefined
}

/** Defaults for all messages of a conversation. */
export type MessageDefaults = Pick<ImportedMemory, 'conversation' | 'userId'>

/** StoredMessage of LangChain, in JavaScript and Python: `{type, data: {content, …}}`. */
export function isStoredMessage(message: Item): boolean {
  return typeof message['type'] === 'string' && toRecord(message['data']) !== null
}

/** Whether the item is a message with a role and a content, under any of the known names. */
export function isMessage(message: Item): boolean {
  return (typeof message['role'] === 'string' || typeof message['type'] === 'string') && !isStoredMessage(message)
}

export function* fromStoredMessage(message: Item, defaults: MessageDefaults): Generator<ImportedItem> {
  const data = toRecord(message['data'])
  if (data === null) {
    yield { skipped: 'not an object' }
    return
  }
  const type = message['type']
  const kwargs = toRecord(data['additional_kwargs'])
  // Messages of the types "chat" and "generic" carry their role beside the text.
  const role = type === 'chat' || type === 'generic' ? data['role'] : type
  yield* fromParts({ role, content: data['content'], timestamp: kwargs?.['timestamp'] ?? kwargs?.['created_at'] }, defaults)
}

export function* fromMessage(message: Item, defaults: MessageDefaults): Generator<ImportedItem> {
  const content = message['content'] ?? message['text'] ?? message['message']
  const timestamp = ['timestamp', 'created_at', 'createdAt', 'time', 'create_time']
    .map((name) => message[name])
    .find((time) => time != null)
  // Where Zep has a type of role beside it, the role is the sender's name.
  const role = message['role_type'] ?? message['roleType'] ?? message['role'] ?? message['type']
  yield* fromParts(
    { role, content, timestamp },
    {
      conversation: conversationOf(message) ?? defaults.conversation,
      userId: toText(message['user_id']) ?? defaults.userId
    }
  )
}

/** Returns the conversation that a record names. */
export function conversationOf(record: Item): string | null {
  for (const name of ['session_id', 'conversation_id', 'thread_id', 'sessionId', 'chat_id']) {
    const value = record[name]
    if (typeof value === 'number') return String(value)
    const text = toText(value)
    if (text !== null) return text
  }
  return null
}

interface MessageParts {
  readonly role: unknown
  readonly content: unknown
  readonly timestamp: unknown
}

function* fromParts({ role: given, content, timestamp }: MessageParts, defaults: MessageDefaults): Generator<ImportedItem> {
  const role = roleNamed(given)
  const text = textOf(content)
  if (role === undefined) yield { skipped: 'unknown role' }
  else if (role === 'left out') yield { skipped: 'system or tool message' }
  else if (text === null) yield { skipped: 'no text' }
  else yield { ...defaults, role, text, timestamp: toTime(timestamp) }
}

/** Returns a text, or joins the text parts of a list: images and tool calls have none. */
function textOf(content: unknown): string | null {
  if (!Array.isArray(content)) return toText(content)
  const texts = content.flatMap((part: unknown) => toText(part) ?? toText(toRecord(part)?.['text']) ?? [])
  return toText(texts.join('\n'))
}
