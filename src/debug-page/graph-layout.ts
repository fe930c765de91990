/**
 * Where the parts of the service stand: a column for each kind, from what supervises on the left to what watches on the right. The same
 * graph always looks the same, so that what moves on the screen is what has changed.
 */

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly state: string
}

export interface GraphEdge {
  readonly source: string
  readonly target: string
  readonly kind: string
}

export interface Place {
  /** Of the left upper corner, in units of the picture. */
  readonly x: number
  readonly y: number
}

export type PlacedNode<Node extends GraphNode = GraphNode> = Node & Place

export interface PlacedEdge extends GraphEdge {
  readonly from: PlacedNode
  readonly to: PlacedNode
}

export interface Layout<Node extends GraphNode> {
  readonly width: number
  readonly height: number
  readonly nodes: readonly PlacedNode<Node>[]
  readonly edges: readonly PlacedEdge[]
}

/** Size of a node in units of the picture. A name that is longer ends in an ellipsis. */
export const NODE_WIDTH = 164
export const NODE_HEIGHT = 40

const COLUMN_GAP = 72
const ROW_GAP = 14
const MARGIN = 8

/** Times that rows are put beside those they are linked to: later ones change nothing that can be seen. */
const PASSES = 4

const COLUMNS: readonly (readonly string[])[] = [
  ['service', 'embedder', 'proxy', 'storage'],
  ['node'],
  ['supervisor'],
  ['session'],
  ['cluster'],
  ['region'],
  ['observer', 'network']
]

/** Edges to nodes that are not there are left out; columns without nodes take no room. */
export function layOut<Node extends GraphNode>(nodes: readonly Node[], edges: readonly GraphEdge[]): Layout<Node> {
  const columns = COLUMNS.map((kinds) => kinds.flatMap((kind) => nodes.filter((node) => node.kind === kind))).filter(
    (column) => column.length > 0
  )
  const ordered = orderRows(columns, edges)
  const rows = Math.max(0, ...ordered.map((column) => column.length))
  const height = 2 * MARGIN + rows * NODE_HEIGHT + Math.max(0, rows - 1) * ROW_GAP
  const placed = new Map(
    ordered.flatMap((column, index) =>
      column.map((node, row) => [node.id, { ...node, ...placeOf({ index, row, rows: column.length, height }) }] as const)
    )
  )
  return {
    width: 2 * MARGIN + ordered.length * NODE_WIDTH + Math.max(0, ordered.length - 1) * COLUMN_GAP,
    height,
    nodes: [...placed.values()],
    edges: edges.flatMap((edge) => {
      const from = placed.get(edge.source)
      const to = placed.get(edge.target)
      return from === undefined || to === undefined ? [] : [{ ...edge, from, to }]
    })
  }
}

/** The line of an edge as an SVG path: from side to side, or around where both stand in one column. */
export function pathOf({ from, to }: PlacedEdge): string {
  const [left, right] = from.x <= to.x ? [from, to] : [to, from]
  const y1 = left.y + NODE_HEIGHT / 2
  const y2 = right.y + NODE_HEIGHT / 2
  if (left.x === right.x) {
    const bend = left.x + NODE_WIDTH + COLUMN_GAP / 3
    return `M${left.x + NODE_WIDTH} ${y1} C${bend} ${y1} ${bend} ${y2} ${right.x + NODE_WIDTH} ${y2}`
  }
  const x1 = left.x + NODE_WIDTH
  const middle = (x1 + right.x) / 2
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${right.x} ${y2}`
}

/** Each column by the mean row of its neighbours, from the left and back: fewer lines cross. Ties keep the order they came in. */
function orderRows<Node extends GraphNode>(
  columns: readonly (readonly Node[])[],
  edges: readonly GraphEdge[]
): readonly (readonly Node[])[] {
  const neighbours = new Map<string, string[]>()
  for (const { source, target } of edges) {
    neighbours.set(source, [...(neighbours.get(source) ?? []), target])
    neighbours.set(target, [...(neighbours.get(target) ?? []), source])
  }
  let ordered = columns
  for (let pass = 0; pass < PASSES; pass++) {
    const rowOf = new Map(ordered.flatMap((column) => column.map(({ id }, row) => [id, row / Math.max(1, column.length - 1)] as const)))
    const weight = ({ id }: Node): number => {
      const rows = (neighbours.get(id) ?? []).flatMap((other) => rowOf.get(other) ?? [])
      return rows.length === 0 ? (rowOf.get(id) ?? 0) : rows.reduce((sum, row) => sum + row, 0) / rows.length
    }
    // What stands first in a column is what the service itself is made of: it keeps its order.
    ordered = ordered.map((column, index) => (index === 0 ? column : [...column].sort((a, b) => weight(a) - weight(b))))
  }
  return ordered
}

function placeOf({ index, row, rows, height }: { index: number; row: number; rows: number; height: number }): Place {
  const own = rows * NODE_HEIGHT + (rows - 1) * ROW_GAP
  return { x: MARGIN + index * (NODE_WIDTH + COLUMN_GAP), y: (height - own) / 2 + row * (NODE_HEIGHT + ROW_GAP) }
}
