/**
 * Memories of Redis' agent-memory-server: the answer of `POST /v1/long-term-memory/search` (`{"memories": […]}`), and what its working
 * memory holds beside messages.
 */
import { type ImportedItem, type Item, toText, toTime } from './formats.js'
import { type MessageDefaults, roleNamed } from './messages.js'

const TYPES: ReadonlySet<unknown> = new Set(['semantic', 'episodic', 'message'])

/** Whether the item looks like a memory record of that server. */
export function isRedisMemory(item: Item): boolean {
  return typeof item['text'] === 'string' && TYPES.has(item['memory_type'])
}

/** Semantic and episodic memories are facts that a model extracted. Messages have their role before the text: `user: Hello`. */
export function* fromRedisMemory(item: Item, defaults: MessageDefaults): Generator<ImportedItem> {
  const userId = toText(item['user_id']) ?? defaults.userId
  const whole = toText(item['text'])
  const said = item['memory_type'] === 'message' ? /^(\w+): ([^]+)$/.exec(whole ?? '') : null
  const role = said === null ? undefined : roleNamed(said[1])
  const text = role === undefined ? whole : (said?.[2] ?? null)
  if (text === null) yield { skipped: 'no text' }
  else if (role === 'left out') yield { skipped: 'system or tool message' }
  else
    yield {
      conversation: toText(item['session_id']) ?? defaults.conversation ?? userId,
      role: role ?? 'synthetic',
      text,
      userId,
      timestamp: toTime(item['created_at'])
    }
}
