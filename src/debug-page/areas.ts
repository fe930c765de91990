/**
 * Lays out the parts of the service as nested areas: regions contain clusters, clusters their members, the service its nodes.
 * Deterministic. Where not everything can be shown, the parts that need attention are.
 */
import { addTo } from '../domain/collections/by-key.js'
import { counted } from './counted.js'
import type { GraphEdge, GraphNode } from './topology.js'

/** Maximum inner areas shown: more cannot be told apart at a glance. */
export const SHOWN_MAX = 8

type Tone = 'calm' | 'warn' | 'alarm' | 'none'

export interface Area {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly tone: Tone
  /** Its state, in words. */
  readonly note: string
  /** Null for an area that only groups parts which belong to nothing else. */
  readonly part: GraphNode | null
  readonly inner: readonly Area[]
  /** Number of inner areas that are not shown. */
  readonly more: number
  /** Their kind; empty if there are several. */
  readonly moreKind: string
}

const TONES: Readonly<Record<string, Tone>> = {
  stable: 'calm',
  quiet: 'calm',
  shifting: 'warn',
  gathering: 'warn',
  coolingDown: 'warn',
  drifted: 'alarm',
  realigning: 'alarm',
  up: 'calm',
  running: 'calm',
  configured: 'calm',
  restarting: 'warn',
  joining: 'warn',
  unfit: 'warn',
  draining: 'warn',
  failed: 'alarm',
  isolated: 'alarm'
}

const VOTES: Readonly<Record<string, string>> = {
  quiet: 'no votes',
  gathering: 'votes coming in',
  realigning: 'realigning',
  coolingDown: 'realigned'
}

const SEVERITY: Readonly<Record<Tone, number>> = { alarm: 0, warn: 1, calm: 2, none: 3 }

interface Ties {
  /** Parts by the part that contains them. */
  readonly inner: ReadonlyMap<string, readonly GraphNode[]>
  /** Parts that are contained in another. */
  readonly placed: ReadonlySet<string>
  /** The session behind each cluster, region or observer. */
  readonly backing: ReadonlyMap<string, GraphNode>
  /** Those sessions, which the map does not show separately. */
  readonly spokenFor: ReadonlySet<string>
  /** The selected part, and those that contain it. */
  readonly chosen: ReadonlySet<string>
}

/** Linear in edges, n log n in parts. The selected part is always shown. */
export function areasOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[], selected: string | null): readonly Area[] {
  const ties = tiesOf(nodes, edges, selected)
  const loose = (kind: string): readonly GraphNode[] =>
    nodes.filter((node) => node.kind === kind && !ties.placed.has(node.id) && !ties.spokenFor.has(node.id))
  return [
    ...gathered('regions', { title: 'Regions', parts: loose('region') }, ties),
    ...gathered('clusters', { title: 'Clusters without a region', parts: loose('cluster') }, ties),
    ...gathered('sessions', { title: 'Sessions without a cluster', parts: loose('session') }, ties),
    ...gathered('watch', { title: 'Across all', parts: [...loose('observer'), ...loose('network')] }, ties),
    ...loose('service').map((part) => areaOf(part, ties))
  ]
}

/** A part that needs attention. */
export interface Alarm {
  readonly part: GraphNode
  readonly note: string
}

/** Returns every part of the highest tone, by name; a cluster in place of its shared session. */
export function alarmsOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): readonly Alarm[] {
  const ties = tiesOf(nodes, edges, null)
  return nodes
    .filter(({ id }) => !ties.spokenFor.has(id))
    .flatMap((part) => {
      const { tone, note } = courseOf(part, ties)
      return tone === 'alarm' ? [{ part, note }] : []
    })
    .sort((a, b) => compare(a.part.id, b.part.id))
}

function tiesOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[], selected: string | null): Ties {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const inner = new Map<string, GraphNode[]>()
  const around = new Map<string, string[]>()
  const backing = new Map<string, GraphNode>()
  for (const edge of edges) {
    const [source, target] = [byId.get(edge.source), byId.get(edge.target)]
    if (source === undefined || target === undefined) continue
    if (edge.kind === 'backing') backing.set(target.id, source)
    const place = placeOf(edge.kind, source, target)
    if (place === null) continue
    addTo(inner, place.around.id, place.part)
    addTo(around, place.part.id, place.around.id)
  }
  const spokenFor = new Set([...backing.values()].map(({ id }) => id))
  const chosen = new Set(selected === null ? [] : [selected])
  // Ids added during the iteration are visited too.
  for (const id of chosen) for (const outer of around.get(id) ?? []) chosen.add(outer)
  return { inner, placed: new Set(around.keys()), backing, spokenFor, chosen }
}

/** A member lies in its cluster, a cluster in its region, and the service's components in the service. */
function placeOf(kind: string, source: GraphNode, target: GraphNode): { part: GraphNode; around: GraphNode } | null {
  if (kind === 'member' || kind === 'attached') return { part: source, around: target }
  // The supervisor of an actor does not determine its place.
  const isOfService = kind === 'uses' || (kind === 'supervises' && source.kind !== 'supervisor')
  return isOfService ? { part: target, around: source } : null
}

interface Gathering {
  readonly title: string
  readonly parts: readonly GraphNode[]
}

function gathered(id: string, { title, parts }: Gathering, ties: Ties): Area[] {
  if (parts.length === 0) return []
  return [{ id: `all:${id}`, kind: 'all', title, tone: 'none', note: '', part: null, ...shownOf(parts, ties) }]
}

function areaOf(part: GraphNode, ties: Ties): Area {
  const parts = ties.inner.get(part.id) ?? []
  const { tone, note } = courseOf(part, ties)
  const held = HOLDERS[part.kind]
  const size = parts.length === 0 || held === undefined ? '' : counted(parts.length, held)
  const { id, kind, label: title } = part
  const words = [NAMED_BY_PLACE.has(kind) ? '' : kind, size, note].filter((word) => word !== '').join(' · ')
  return { id, kind, title, tone, note: words, part, ...shownOf(parts, ties) }
}

/** Kinds that are evident from their place on the map. */
const NAMED_BY_PLACE = new Set(['session', 'cluster', 'region', 'service'])

/** Names of contained parts, by the kind of the container. */
const HOLDERS: Readonly<Record<string, string>> = { cluster: 'member', region: 'cluster' }

/** The drift of a cluster is that of its shared session. */
function courseOf(part: GraphNode, { backing }: Ties): { tone: Tone; note: string } {
  const { kind, state } = part
  const course = kind === 'cluster' ? backing.get(part.id)?.course : part.course
  if (course === undefined) return { tone: TONES[state] ?? 'none', note: state.replaceAll('_', ' ') }
  if (kind === 'region') return { tone: TONES[course] ?? 'none', note: VOTES[course] ?? course }
  return { tone: TONES[course] ?? (kind === 'observer' ? 'alarm' : 'none'), note: course }
}

function shownOf(parts: readonly GraphNode[], ties: Ties): Pick<Area, 'inner' | 'more' | 'moreKind'> {
  const severity = (part: GraphNode): number => (ties.chosen.has(part.id) ? -1 : SEVERITY[courseOf(part, ties).tone])
  const sorted = [...parts].sort((a, b) => severity(a) - severity(b) || compare(a.label, b.label))
  const rest = sorted.slice(SHOWN_MAX)
  const [moreKind = '', ...otherKinds] = new Set(rest.map(({ kind }) => kind))
  // Sorted by name, so that a selection does not move any area.
  const shown = sorted.slice(0, SHOWN_MAX).sort((a, b) => compare(a.label, b.label))
  return { inner: shown.map((part) => areaOf(part, ties)), more: rest.length, moreKind: otherKinds.length > 0 ? '' : moreKind }
}

/** Compares by code unit: independent of the locale, and cheap for ten thousand. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
