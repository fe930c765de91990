import { h, type ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { activePaths } from '../../machines/chart.js'
import type { ChartState, ChartTransition, DebugClient } from './debug-client.js'
import type { GraphNode } from './graph-layout.js'

interface ChartsProps {
  readonly client: DebugClient
  readonly machines: readonly ChartState[]
  readonly node: GraphNode
  /** The charts are read again when it changes. */
  readonly beat: number
}

const ACTORS = ['session', 'cluster', 'region', 'observer', 'network']

/** The machines that decide for a part, with the states it is in. */
export function ChartsView({ client, machines, node, beat }: ChartsProps): ComponentChildren {
  const [states, setStates] = useState<Readonly<Record<string, unknown>>>({})
  const id = node.id.slice(node.kind.length + 1)
  useEffect(() => setStates({}), [node.id])
  useEffect(() => {
    let isCurrent = true
    const show = (found: Readonly<Record<string, unknown>>): void => {
      if (isCurrent) setStates(found)
    }
    // A failure is told of by the connection; the next beat reads again.
    if (ACTORS.includes(node.kind)) client.statesOf(node.kind, id).then(show, () => undefined)
    return () => {
      isCurrent = false
    }
  }, [client, node.id, beat])

  const shown = machines.filter(({ key }) => key in states || key === MACHINE_OF[node.kind])
  if (shown.length === 0) return h('p', { class: 'hint' }, ACTORS.includes(node.kind) ? 'Not in memory: its next command activates it.' : 'Decides nothing itself.')
  return h(
    'div',
    { class: 'charts' },
    shown.map((machine) => h(ChartView, { key: machine.key, machine, active: new Set(states[machine.key] === undefined ? pathsNamed(machine, node.state) : activePaths(states[machine.key])) }))
  )
}

/** Parts that are no actors of a subject tell their state in the graph. */
const MACHINE_OF: Readonly<Record<string, string>> = { service: 'node', node: 'membership', supervisor: 'supervisor' }

function pathsNamed(state: ChartState, name: string, above = ''): readonly string[] {
  return state.states.flatMap((child) => {
    const path = above === '' ? child.key : `${above}.${child.key}`
    const inner = pathsNamed(child, name, path)
    return child.key === name || inner.length > 0 ? [path, ...inner] : []
  })
}

function ChartView({ machine, active }: { machine: ChartState; active: ReadonlySet<string> }): ComponentChildren {
  const deepest = [...active].filter((path) => ![...active].some((other) => other.startsWith(`${path}.`)))
  return h(
    'section',
    { class: 'chart', 'data-machine': machine.key, 'aria-label': `State chart ${machine.key}` },
    h('h3', null, machine.key, ' ', h('span', { class: 'now' }, deepest.join(', ') || 'not told')),
    h(Transitions, { transitions: machine.transitions }),
    h(States, { states: machine.states, above: '', active })
  )
}

function States({ states, above, active }: { states: readonly ChartState[]; above: string; active: ReadonlySet<string> }): ComponentChildren {
  return h(
    'ul',
    { class: 'states' },
    states.map((state) => {
      const path = above === '' ? state.key : `${above}.${state.key}`
      const isActive = active.has(path)
      return h(
        'li',
        { key: path, class: `state state-type-${state.type}${isActive ? ' active' : ''}`, 'data-state': path, 'aria-current': isActive ? 'true' : undefined },
        h('span', { class: 'state-name' }, state.key),
        h(Transitions, { transitions: state.transitions }),
        state.states.length > 0 ? h(States, { states: state.states, above: path, active }) : null
      )
    })
  )
}

function Transitions({ transitions }: { transitions: readonly ChartTransition[] }): ComponentChildren {
  if (transitions.length === 0) return null
  return h(
    'ul',
    { class: 'transitions' },
    transitions.map(({ event, target, guard, actions }) =>
      h(
        'li',
        null,
        h('b', null, toTrigger(event)),
        guard === null ? null : h('i', null, ` [${guard}]`),
        target === null ? null : h('span', { class: 'target' }, ` → ${target}`),
        actions.length === 0 ? null : h('small', null, ` / ${actions.join(', ')}`)
      )
    )
  )
}

/** XState's names of its own events, shortened to what they mean. */
function toTrigger(event: string): string {
  if (event === '') return 'at once'
  const own = /^xstate\.(done|error|after)\.(?:actor|state)?\.?(.*)$/.exec(event)
  if (own === null) return event
  if (own[2] === '*') return own[1] === 'done' ? 'a child is done' : 'a child failed'
  return own[1] === 'after' ? `after ${(own[2] ?? '').split('.')[0] ?? ''}` : own[1] === 'done' ? 'done' : 'failed'
}
