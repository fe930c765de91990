import { h, type ComponentChildren } from 'preact'
import type { Topology } from './debug-client.js'
import { layOut, NODE_HEIGHT, NODE_WIDTH, pathOf, type PlacedNode } from './graph-layout.js'

interface GraphProps {
  readonly topology: Topology
  /** Id of the node that is looked at. */
  readonly selected: string | null
  readonly select: (id: string) => void
}

/** Characters of a name that fit into a node. */
const LABEL_CHARS = 20

/** The parts of the service as a graph. Every node is a button: Tab reaches them, arrow keys go on, Enter selects. */
export function GraphView({ topology, selected, select }: GraphProps): ComponentChildren {
  const { nodes, edges, width, height } = layOut(topology.nodes, topology.edges)
  const lines = edges.map((edge) => {
    const isNear = edge.source === selected || edge.target === selected
    return h('path', { key: `${edge.source} ${edge.target} ${edge.kind}`, d: pathOf(edge), class: `edge edge-${edge.kind}${isNear ? ' near' : ''}` })
  })
  return h(
    'section',
    { class: 'card graph', 'aria-labelledby': 'graph-title' },
    h('h2', { id: 'graph-title' }, 'Topology'),
    h(
      'div',
      { class: 'scroll' },
      h(
        'svg',
        { viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': 'Parts of the service', onKeyDown: moveFocus },
        h('g', { 'aria-hidden': true }, lines),
        nodes.map((node) => h(GraphNodeView, { key: node.id, node, isSelected: node.id === selected, select }))
      )
    ),
    topology.more > 0 ? h('p', { class: 'hint' }, `${topology.more} more actors are not shown.`) : null
  )
}

function GraphNodeView({ node, isSelected, select }: { node: PlacedNode; isSelected: boolean; select: (id: string) => void }): ComponentChildren {
  const choose = (): void => select(node.id)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    choose()
  }
  return h(
    'g',
    {
      class: `node node-${node.kind} state-${node.state}${isSelected ? ' selected' : ''}`,
      transform: `translate(${node.x} ${node.y})`,
      role: 'button',
      tabindex: 0,
      'aria-pressed': isSelected,
      'aria-label': `${node.kind} ${node.label}, ${node.state.replaceAll('_', ' ')}`,
      'data-node': node.id,
      onClick: choose,
      onKeyDown
    },
    h('title', null, `${node.kind} ${node.label}: ${node.state.replaceAll('_', ' ')}`),
    h('rect', { width: NODE_WIDTH, height: NODE_HEIGHT, rx: 7 }),
    h('circle', { class: 'lamp', cx: 14, cy: NODE_HEIGHT / 2, r: 4.5 }),
    h('text', { class: 'node-label', x: 27, y: 17 }, shorten(node.label)),
    h('text', { class: 'node-kind', x: 27, y: 31 }, `${node.kind} · ${node.state.replaceAll('_', ' ')}`)
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

function moveFocus(event: KeyboardEvent & { readonly currentTarget: Element }): void {
  const step = STEPS[event.key]
  if (step === undefined || !(event.target instanceof Element)) return
  const all = [...event.currentTarget.querySelectorAll<SVGGElement>('[data-node]')]
  const next = all[all.findIndex((node) => node === event.target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function shorten(label: string): string {
  return label.length <= LABEL_CHARS ? label : `${label.slice(0, LABEL_CHARS - 1)}…`
}
