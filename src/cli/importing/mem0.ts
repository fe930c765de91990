/** Exports of mem0: what `get_all` answers (`{"results": […]}`), what its platform exports (`{"memories": […]}`), or a list of the same. */
import { type ImportedItem, toRecord, toText, toTime } from './formats.js'

/** Whether this looks like one of its memories. */
export function isMem0(value: unknown): boolean {
  const item = toRecord(value)
  return item !== null && typeof item['memory'] === 'string'
}

/** The list within an export; null where there is none. */
export function mem0List(value: unknown): readonly unknown[] | null {
  const whole = toRecord(value)
  for (const list of [whole?.['results'], whole?.['memories'], value]) if (Array.isArray(list)) return list as readonly unknown[]
  return null
}

/** mem0 keeps facts that a model drew from messages: nobody said them, so they are synthetic. */
export function* fromMem0(value: unknown): Generator<ImportedItem> {
  const item = toRecord(value)
  if (item === null) {
    yield { skipped: 'not an object' }
    return
  }
  const text = toText(item['memory']) ?? toText(item['data']) ?? toText(item['text'])
  if (text === null) {
    yield { skipped: 'no text' }
    return
  }
  const userId = toText(item['user_id'])
  yield {
    conversation: toText(item['run_id']) ?? userId ?? toText(item['agent_id']),
    role: 'synthetic',
    text,
    userId,
    timestamp: toTime(item['updated_at']) ?? toTime(item['created_at'])
  }
}
