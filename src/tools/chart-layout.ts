/** Lays out the states and arrows of charts for the debugger's page, with ELK's layered algorithm. */
import Elk, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js'
import type { ChartState } from '../../machines/chart.js'
import { type Arrow, type Box, type ChartDrawing, LETTER, LINE, linesIn, toLine } from '../debug-page/chart-drawing.js'

/** Padding around a state's text, and size of the mark of an initial state, in pixels. */
const PADDING = 10
const START = 10

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.spacing.nodeNode': '24',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.layered.nodePlacement.strategy': 'LINEAR_SEGMENTS',
  'elk.spacing.edgeLabel': '4'
} as const

/** Returns the drawings by machine id, top-down or left-to-right, whichever is narrower. Deterministic. */
export async function layOutCharts(charts: readonly ChartState[]): Promise<Readonly<Record<string, ChartDrawing>>> {
  const elk = new Elk.default()
  const drawings: [string, ChartDrawing][] = []
  for (const chart of charts) {
    const edges: ElkExtendedEdge[] = []
    const root = toNode(chart, edges)
    const graph = JSON.stringify({ id: '#', children: [root], edges })
    const laid = await Promise.all(
      // Copied, because ELK writes positions into its input.
      ['DOWN', 'RIGHT'].map((direction) =>
        elk.layout(JSON.parse(graph) as ElkNode, { layoutOptions: { ...OPTIONS, 'elk.direction': direction } })
      )
    )
    const drawn = laid.map(toDrawing).sort((a, b) => a.width - b.width)
    drawings.push(...drawn.slice(0, 1).map((drawing): [string, ChartDrawing] => [chart.key, drawing]))
  }
  return Object.fromEntries(drawings)
}

function toNode(state: ChartState, edges: ElkExtendedEdge[]): ElkNode {
  addArrows(state, edges)
  const texts = [state.key, ...linesIn(state)]
  const width = Math.max(...texts.map(({ length }) => length)) * LETTER + 2 * PADDING
  const height = texts.length * LINE + PADDING
  const id = idOf(state)
  if (state.states.length === 0) return { id, width, height }
  const children = state.states.map((child) => toNode(child, edges))
  for (const initial of state.states.filter(({ key }) => key === state.initial)) {
    children.unshift({ id: `start:${state.path}`, width: START, height: START })
    edges.push({ id: `starts:${state.path}`, sources: [`start:${state.path}`], targets: [idOf(initial)] })
  }
  return {
    id,
    children,
    layoutOptions: {
      'elk.padding': `[top=${height},left=${PADDING},bottom=${PADDING},right=${PADDING}]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width}, ${height})`
    }
  }
}

function idOf({ path }: ChartState): string {
  return `state:${path}`
}

/** Adds one arrow for all events that lead from one state to the same other state. */
function addArrows(state: ChartState, edges: ElkExtendedEdge[]): void {
  const leaving = state.transitions.filter(({ target }) => target !== null)
  for (const target of new Set(leaving.map((transition) => transition.target))) {
    const lines = leaving.filter((transition) => transition.target === target).map(toLine)
    const width = Math.max(...lines.map(({ length }) => length)) * LETTER
    edges.push({
      id: `leads:${edges.length}`,
      sources: [idOf(state)],
      targets: [`state:${target}`],
      labels: [{ text: lines.join('\n'), width, height: lines.length * LINE }]
    })
  }
}

function toDrawing(laid: ElkNode): ChartDrawing {
  const boxes: [string, Box][] = []
  const starts: Box[] = []
  const all = [...(laid.children ?? [])]
  for (const { id, x = 0, y = 0, width = 0, height = 0, children = [] } of all) {
    all.push(...children)
    const box = { x: round(x), y: round(y), width: round(width), height: round(height) }
    if (id.startsWith('start:')) starts.push(box)
    else boxes.push([id.slice('state:'.length), box])
  }
  return {
    width: round(laid.width ?? 0),
    height: round(laid.height ?? 0),
    boxes: Object.fromEntries(boxes),
    starts,
    arrows: (laid.edges ?? []).map(toArrow)
  }
}

function toArrow({
  sources: [source = ''],
  targets: [target = ''],
  sections: [section] = [],
  labels: [label] = []
}: ElkExtendedEdge): Arrow {
  if (section === undefined) throw new Error(`There is no way from ${source} to ${target}`)
  const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]
  return {
    source: source.startsWith('state:') ? source.slice('state:'.length) : null,
    target: target.slice('state:'.length),
    points: points.map(({ x, y }) => [round(x), round(y)] as const),
    lines: label?.text?.split('\n') ?? [],
    at: label === undefined ? null : [round(label.x ?? 0), round(label.y ?? 0)]
  }
}

/** Rounds to tenths of a pixel. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}
