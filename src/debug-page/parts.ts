/** Entries of the page's list: every part of the graph, and every session that is only stored. */
import { compare } from './areas.js'
import type { StoredSession, Topology } from './debug-client.js'
import type { GraphNode } from './topology.js'

export interface PartFilter {
  /** Words that a part's name has to contain, in any order and case. */
  readonly words: string
  /** Empty: every kind. */
  readonly kind: string
}

export const EVERY_PART: PartFilter = { words: '', kind: '' }

/** Kinds that people look for first. */
const KIND_ORDER = ['session', 'cluster', 'region', 'observer', 'network', 'node', 'supervisor', 'service', 'embedder', 'proxy', 'storage']

/** Active parts before stored ones, then by kind and name. An active session is listed once, as in the graph. */
export function partsOf(
  topology: Pick<Topology, 'nodes'>,
  sessions: readonly Pick<StoredSession, 'session_id' | 'state'>[]
): readonly GraphNode[] {
  const ids = new Set(topology.nodes.map(({ id }) => id))
  const listed = new Map(sessions.map((session) => [session.session_id, session.state]))
  const others = [...listed].flatMap(([id, state]) =>
    ids.has(`session:${id}`) ? [] : [{ id: `session:${id}`, kind: 'session', label: id, state }]
  )
  const rank = new Map(KIND_ORDER.map((kind, index) => [kind, index]))
  const rankOf = ({ kind }: GraphNode): number => rank.get(kind) ?? KIND_ORDER.length
  return [...topology.nodes, ...others].sort(
    (a, b) => rankOf(a) - rankOf(b) || Number(a.state === 'stored') - Number(b.state === 'stored') || compare(a.label, b.label)
  )
}

/** The matching parts, in order. */
export function filterParts(parts: readonly GraphNode[], { words, kind }: PartFilter): readonly GraphNode[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return parts.filter((part) => {
    if (kind !== '' && part.kind !== kind) return false
    const name = `${part.label} ${part.id}`.toLowerCase()
    return wanted.every((word) => name.includes(word))
  })
}

/** Number of parts of each kind, in the order of the list. */
export function kindsOf(parts: readonly GraphNode[]): readonly (readonly [kind: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { kind } of parts) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts]
}
