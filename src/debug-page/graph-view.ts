import { type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import type { Topology } from './debug-client.js'
import { foldedKind, type FoldedNode, foldGraph } from './folding.js'
import { layOut, NODE_HEIGHT, NODE_WIDTH, pathOf, type PlacedNode } from './graph-layout.js'

interface GraphProps {
  readonly topology: Topology
  /** Id of the part that is looked at. */
  readonly selected: string | null
  readonly select: (id: string) => void
  /** Lists the parts of a kind that is folded. */
  readonly list: (kind: string) => void
  readonly isOpen: boolean
}

/** The parts of the service as an overview that can be folded away. One stop of the Tab key; arrow keys go on, Enter selects. */
export function GraphView({ topology, selected, select, list, isOpen }: GraphProps): ComponentChildren {
  const folded = foldGraph(topology.nodes, topology.edges, selected)
  const { nodes, edges, width, height } = layOut(folded.nodes, folded.edges)
  const [focused, setFocused] = useState<string | null>(null)
  const stop = nodes.some(({ id }) => id === focused) ? focused : nodes.some(({ id }) => id === selected) ? selected : nodes[0]?.id
  const choose = (id: string): void => {
    const kind = foldedKind(id)
    if (kind === null) select(id)
    else list(kind)
  }
  const lines = edges.map((edge) => {
    const isNear = edge.source === selected || edge.target === selected
    return h('path', {
      key: `${edge.source} ${edge.target} ${edge.kind}`,
      d: pathOf(edge),
      class: `edge edge-${edge.kind}${isNear ? ' near' : ''}`
    })
  })
  return h(
    'details',
    { class: 'card graph', open: isOpen },
    h('summary', null, h('h2', null, 'Topology')),
    h(
      'div',
      { class: 'scroll' },
      h(
        'svg',
        { viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': 'Overview of the parts', onKeyDown: moveFocus },
        h('g', { 'aria-hidden': true }, lines),
        nodes.map((node) =>
          h(GraphNodeView, {
            key: node.id,
            node,
            isSelected: node.id === selected,
            isStop: node.id === stop,
            choose,
            focused: () => setFocused(node.id)
          })
        )
      )
    ),
    topology.more > 0 ? h('p', { class: 'hint' }, `${topology.more} more actors are not drawn.`) : null
  )
}

interface NodeProps {
  readonly node: PlacedNode<FoldedNode>
  readonly isSelected: boolean
  readonly isStop: boolean
  readonly choose: (id: string) => void
  readonly focused: () => void
}

function GraphNodeView({ node, isSelected, isStop, choose, focused }: NodeProps): ComponentChildren {
  const isFolded = node.count > 1 || foldedKind(node.id) !== null
  const state = isFolded ? 'show them in the list' : node.state.replaceAll('_', ' ')
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    choose(node.id)
  }
  return h(
    'g',
    {
      class: `node node-${node.kind} state-${node.state}${isSelected ? ' selected' : ''}`,
      transform: `translate(${node.x} ${node.y})`,
      role: 'button',
      tabindex: isStop ? 0 : -1,
      'aria-pressed': isFolded ? undefined : isSelected,
      'data-node': node.id,
      onClick: () => choose(node.id),
      onFocus: focused,
      onKeyDown
    },
    h('title', null, `${node.label}: ${state}`),
    h('rect', { width: NODE_WIDTH, height: NODE_HEIGHT, rx: 7 }),
    h('circle', { class: 'lamp', cx: 14, cy: NODE_HEIGHT / 2, r: 4.5 }),
    // HTML, because SVG has no text that ends in an ellipsis where its box does.
    h(
      'foreignObject',
      { x: 25, y: 3, width: NODE_WIDTH - 31, height: NODE_HEIGHT - 6 },
      h('div', { class: 'node-text' }, h('b', null, node.label), h('small', null, isFolded ? 'in the list' : `${node.kind} · ${state}`))
    )
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
