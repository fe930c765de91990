/** Facts of a graph of Zep or Graphiti: a list of edges, or the answer of a search in the graph (`{"edges": […]}`). */
import { type ImportedItem, type Item, toText, toTime } from './formats.js'
import type { MessageDefaults } from './messages.js'

/** Whether the item looks like an edge between two entities. */
export function isZepFact(item: Item): boolean {
  return typeof item['fact'] === 'string' && sourceOf(item) !== null
}

/** Nobody said these facts, so they are synthetic. Engram has no time at which a fact ends, so facts that ended are left out. */
export function* fromZepFact(item: Item, defaults: MessageDefaults): Generator<ImportedItem> {
  const text = toText(item['fact'])
  const end = ['invalid_at', 'invalidAt', 'expired_at', 'expiredAt'].find((name) => toText(item[name]) !== null)
  if (text === null) yield { skipped: 'no text' }
  else if (end !== undefined) yield { skipped: 'fact that no longer holds' }
  else yield { ...defaults, role: 'synthetic', text, timestamp: toTime(item['created_at'] ?? item['createdAt']) }
}

/** The client for JavaScript writes names in camel case. */
function sourceOf(item: Item): string | null {
  return toText(item['source_node_uuid']) ?? toText(item['sourceNodeUuid'])
}
