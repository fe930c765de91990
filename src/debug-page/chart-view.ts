import { type ComponentChildren, Fragment, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { activePaths, type ChartState, flatten } from '../../machines/chart.js'
import { type Arrow, type ChartDrawing, LINE, linesIn } from './chart-drawing.js'
import type { DebugClient } from './debug-client.js'
import type { GraphNode } from './topology.js'

interface ChartsProps {
  readonly client: DebugClient
  readonly machines: readonly ChartState[]
  readonly node: GraphNode
  /** A change makes the charts reload. */
  readonly beat: number
}

const ACTORS = ['session', 'cluster', 'region', 'observer', 'network']

/** Drawings of the machines behind a part, with its current states highlighted. */
export function ChartsView({ client, machines, node, beat }: ChartsProps): ComponentChildren {
  const [states, setStates] = useState<Readonly<Record<string, unknown>>>({})
  const id = node.id.slice(node.kind.length + 1)
  useEffect(() => setStates({}), [node.id])
  useEffect(() => {
    let isCurrent = true
    const show = (found: Readonly<Record<string, unknown>>): void => {
      if (isCurrent) setStates(found)
    }
    // The connection reports failures; the next beat reads again.
    if (ACTORS.includes(node.kind)) client.statesOf(node.kind, id).then(show, () => undefined)
    return () => {
      isCurrent = false
    }
  }, [client, node.id, beat])

  const shown = machines.filter(({ key }) => key in states || key === MACHINE_OF[node.kind])
  if (shown.length === 0)
    return h(
      'p',
      { class: 'hint' },
      ACTORS.includes(node.kind) ? 'Not in memory. What is stored of it comes back with its next command.' : 'Decides nothing itself.'
    )
  return h(
    'div',
    { class: 'charts' },
    shown.map((machine) =>
      h(ChartView, {
        key: machine.key,
        machine,
        active: new Set(states[machine.key] === undefined ? pathsNamed(machine, node.state) : activePaths(states[machine.key]))
      })
    )
  )
}

/** Parts that are not a subject's actors show their state in the graph. */
const MACHINE_OF: Readonly<Record<string, string>> = { service: 'node', node: 'membership', supervisor: 'supervisor' }

/** Paths of the states of this name and of those that contain them. */
function pathsNamed(machine: ChartState, name: string): readonly string[] {
  const inner = machine.states.flatMap(flatten)
  return inner.filter((state) => flatten(state).some(({ key }) => key === name)).map(({ path }) => path)
}

/** Positions of states and arrows of each machine, inserted by the build. */
declare const CHART_DRAWINGS: Readonly<Record<string, ChartDrawing>>

function ChartView({ machine, active }: { machine: ChartState; active: ReadonlySet<string> }): ComponentChildren {
  const deepest = [...active].filter((path) => ![...active].some((other) => other.startsWith(`${path}.`)))
  const drawing = CHART_DRAWINGS[machine.key]
  return h(
    'section',
    { class: 'chart', 'data-machine': machine.key, 'aria-label': `State chart ${machine.key}` },
    h('h3', null, machine.key, ' ', h('span', { class: 'now' }, deepest.join(', ') || 'not told')),
    drawing === undefined
      ? null
      : h(
          'div',
          { class: 'chart-scroll', tabIndex: 0, role: 'group', 'aria-label': `Drawing of ${machine.key}` },
          h(
            'svg',
            { width: drawing.width, height: drawing.height, viewBox: `0 0 ${drawing.width} ${drawing.height}` },
            h(States, { state: machine, drawing, active }),
            drawing.starts.map(({ x, y, width }) => h('circle', { class: 'start', cx: x + width / 2, cy: y + width / 2, r: width / 2 })),
            drawing.arrows.map((arrow) => h(ArrowView, { arrow, isActive: arrow.source !== null && active.has(arrow.source) }))
          )
        )
  )
}

interface StatesProps {
  readonly state: ChartState
  readonly drawing: ChartDrawing
  readonly active: ReadonlySet<string>
}

/** Draws a state and all nested states, from the outside in. */
function States({ state, drawing, active }: StatesProps): ComponentChildren {
  const { path } = state
  const box = drawing.boxes[path]
  if (box === undefined) return null
  const isActive = active.has(path)
  const lines = linesIn(state)
  return h(
    Fragment,
    null,
    h(
      'g',
      {
        class: `state state-type-${state.type}${isActive ? ' active' : ''}`,
        'data-state': path,
        'aria-current': isActive ? 'true' : undefined
      },
      h('rect', { x: box.x, y: box.y, width: box.width, height: box.height, rx: 8 }),
      state.type === 'final' ? h('rect', { x: box.x + 3, y: box.y + 3, width: box.width - 6, height: box.height - 6, rx: 6 }) : null,
      h('text', { class: 'state-name', x: box.x + 10, y: box.y + LINE }, state.key),
      lines.map((line, index) => h('text', { x: box.x + 10, y: box.y + (index + 2) * LINE }, line))
    ),
    state.states.map((child) => h(States, { key: child.key, state: child, drawing, active }))
  )
}

function ArrowView({ arrow: { points, lines, at }, isActive }: { arrow: Arrow; isActive: boolean }): ComponentChildren {
  return h(
    'g',
    { class: isActive ? 'arrow active' : 'arrow' },
    h('polyline', { points: points.map((point) => point.join(',')).join(' ') }),
    h('polygon', { points: headOf(points) }),
    at === null ? null : lines.map((line, index) => h('text', { x: at[0], y: at[1] + (index + 0.8) * LINE }, line))
  )
}

const HEAD = 7

/** The arrow's head, in the direction of its last segment. */
function headOf(points: Arrow['points']): string {
  const [[fromX, fromY] = [0, 0], [x, y] = [0, 0]] = points.slice(-2)
  const length = Math.hypot(x - fromX, y - fromY) || 1
  const [alongX, alongY] = [((x - fromX) / length) * HEAD, ((y - fromY) / length) * HEAD]
  return `${x},${y} ${x - alongX - alongY / 2},${y - alongY + alongX / 2} ${x - alongX + alongY / 2},${y - alongY - alongX / 2}`
}
