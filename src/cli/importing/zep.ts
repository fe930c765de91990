/** Facts of a graph of Zep or Graphiti: a list of edges, or the answer of a search in the graph (`{"edges": […]}`). */
import { type ImportedItem, toRecord, toText, toTime } from './formats.js'
import type { MessageDefaults } from './messages.js'

/** Whether the value looks like an edge between two entities. */
export function isZepFact(value: unknown): boolean {
  const item = toRecord(value)
  return item !== null && typeof item['fact'] === 'string' && sourceOf(item) !== null
}

/** Nobody said these facts, so they are synthetic. Engram has no time at which a fact ends, so facts that ended are left out. */
export function* fromZepFact(value: unknown, defaults: MessageDefaults): Generator<ImportedItem> {
  const item = toRecord(value)
  if (item === null) {
    yield { skipped: 'not an object' }
    return
  }
  const text = toText(item['fact'])
  const end = ['invalid_at', 'invalidAt', 'expired_at', 'expiredAt'].find((name) => toText(item[name]) !== null)
  if (text === null) yield { skipped: 'no text' }
  else if (end !== undefined) yield { skipped: 'fact that no longer holds' }
  else yield { ...defaults, role: 'synthetic', text, timestamp: toTime(item['created_at'] ?? item['createdAt']) }
}

/** The client for JavaScript writes names in camel case. */
function sourceOf(item: Readonly<Record<string, unknown>>): string | null {
  return toText(item['source_node_uuid']) ?? toText(item['sourceNodeUuid'])
}
