/** The graph as an overview: kinds with many parts become one box, but for what is looked at and what that is tied to. */
import type { GraphEdge, GraphNode } from './graph-layout.js'

/** Parts of one kind that are shown one by one: a column of the picture stays below a screen's height. */
export const SHOWN_OF_KIND_MAX = 6

export interface FoldedNode extends GraphNode {
  /** Parts that the box stands for; 1 for a part itself. */
  readonly count: number
}

export interface FoldedGraph {
  readonly nodes: readonly FoldedNode[]
  readonly edges: readonly GraphEdge[]
}

/** Linear in nodes and edges. Of what the selected part is tied to as many are shown as fit. */
export function foldGraph(nodes: readonly GraphNode[], edges: readonly GraphEdge[], selected: string | null): FoldedGraph {
  const near = nearTo(edges, selected)
  const byKind = new Map<string, GraphNode[]>()
  for (const node of nodes) byKind.set(node.kind, [...(byKind.get(node.kind) ?? []), node])
  const place = new Map<string, string>()
  const folded = [...byKind].flatMap(([kind, all]): FoldedNode[] => {
    const isFolded = all.length > SHOWN_OF_KIND_MAX
    const single = isFolded
      ? all.filter(({ id }) => near.has(id)).sort((a, b) => Number(b.id === selected) - Number(a.id === selected))
      : all
    const shown = single.slice(0, SHOWN_OF_KIND_MAX)
    const isShown = new Set(shown.map(({ id }) => id))
    for (const { id } of all) place.set(id, isShown.has(id) ? id : groupOf(kind))
    const rest = all.length - shown.length
    const group = { id: groupOf(kind), kind, label: `${rest} ${pluralOf(kind)}`, state: 'folded', count: rest }
    return [...shown.map((node) => ({ ...node, count: 1 })), ...(rest > 0 ? [group] : [])]
  })
  return { nodes: folded, edges: foldEdges(edges, place) }
}

/** The kind that a folded box stands for; null for a part. */
export function foldedKind(id: string): string | null {
  return id.startsWith(GROUP) ? id.slice(GROUP.length) : null
}

const GROUP = 'folded:'

function groupOf(kind: string): string {
  return `${GROUP}${kind}`
}

function pluralOf(kind: string): string {
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`
}

function nearTo(edges: readonly GraphEdge[], selected: string | null): ReadonlySet<string> {
  if (selected === null) return new Set()
  const tied = edges.flatMap(({ source, target }) => (source === selected ? [target] : target === selected ? [source] : []))
  return new Set([selected, ...tied])
}

/** One line where several would lie over one another. */
function foldEdges(edges: readonly GraphEdge[], place: ReadonlyMap<string, string>): GraphEdge[] {
  const folded = new Map<string, GraphEdge>()
  for (const { source, target, kind } of edges) {
    const from = place.get(source)
    const to = place.get(target)
    if (from !== undefined && to !== undefined && from !== to) folded.set(`${from} ${to} ${kind}`, { source: from, target: to, kind })
  }
  return [...folded.values()]
}
