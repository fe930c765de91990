/** Exports of mem0: the result of `get_all` (`{"results": […]}`), an export of its platform (`{"memories": […]}`), or a plain list. */
import { type ImportedItem, type Item, toText, toTime } from './formats.js'

/** Whether the item looks like a memory of mem0. */
export function isMem0(item: Item): boolean {
  return typeof item['memory'] === 'string'
}

/** mem0 stores facts that a model extracted from messages. Nobody said them, so they are synthetic. */
export function* fromMem0(item: Item): Generator<ImportedItem> {
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
