/** State chart as plain data: its states and the transitions between them, by name. */
import type { AnyStateNode } from 'xstate'

export interface ChartTransition {
  /** A command, `done effect`, `failed effect`, `after delay`, or `at once`. */
  readonly event: string
  /** Path of the state that is entered; null if the transition stays in its state. */
  readonly target: string | null
  /** Name of the guard, followed by the plain values of its parameters, such as `levelIs OPEN`. Null: always taken. */
  readonly guard: string | null
  readonly actions: readonly string[]
}

/** State with its nested states. */
export interface ChartState {
  /** Keys of the states from the machine down, joined by dots; empty for the machine itself. */
  readonly path: string
  /** Key of the state; for the machine itself, its id. */
  readonly key: string
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  /** Key of the nested state that is entered first; null without nested states, and where all are entered. */
  readonly initial: string | null
  readonly entry: readonly string[]
  readonly exit: readonly string[]
  /** In the order in which they are tried. */
  readonly transitions: readonly ChartTransition[]
  readonly states: readonly ChartState[]
}

/** Reads the chart of a machine, given its `root`, or of one of its states. */
export function readChart(node: AnyStateNode): ChartState {
  return {
    path: pathOf(node),
    key: node.key,
    type: node.type,
    initial: node.type === 'compound' ? (node.initial.target[0]?.key ?? null) : null,
    entry: namesOf(node.entry),
    exit: namesOf(node.exit),
    transitions: transitionsOf(node),
    states: Object.values(node.states).map(readChart)
  }
}

/** Returns a state and all its nested states, outer ones first. */
export function flatten(state: ChartState): readonly ChartState[] {
  return [state, ...state.states.flatMap(flatten)]
}

/** Returns the paths of the active states for a snapshot's `value`: `{active: 'settled'}` gives `active` and `active.settled`. */
export function activePaths(value: unknown, above = ''): readonly string[] {
  if (typeof value === 'string') return [join(above, value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [join(above, name), ...activePaths(inner, join(above, name))])
}

function transitionsOf(node: AnyStateNode): readonly ChartTransition[] {
  const effects = new Map(node.invoke.map(({ id, src }) => [id, typeof src === 'string' ? src : id]))
  return [...(node.always ?? []), ...[...node.transitions.values()].flat()].map(({ eventType, target, guard, actions }) => ({
    event: toEvent(String(eventType), effects),
    target: target?.[0] === undefined ? null : pathOf(target[0]),
    guard: guard === undefined ? null : toName(guard),
    actions: namesOf(actions)
  }))
}

/** Names an event; XState's own events in words. `effects`: names of the state's invoked effects, by the ids that XState gives them. */
function toEvent(type: string, effects: ReadonlyMap<string, string>): string {
  if (type === '') return 'at once'
  const [, kind, id = ''] = /^xstate\.(done\.actor|error\.actor|after)\.(.*)$/.exec(type) ?? []
  if (kind === undefined) return type
  if (kind === 'after') return `after ${id.split('.')[0]}`
  return `${kind === 'done.actor' ? 'done' : 'failed'} ${id === '*' ? 'any child' : (effects.get(id) ?? id)}`
}

/** Returns the names of actions. Those without a name are XState's own, which start and stop delays. */
function namesOf(actions: readonly unknown[]): readonly string[] {
  return actions.filter((action) => typeof action !== 'function').map(toName)
}

function toName(part: unknown): string {
  if (typeof part === 'string') return part
  const { type, params } = part as { readonly type: string; readonly params?: unknown }
  const values = typeof params === 'object' && params !== null ? Object.values(params) : []
  return [type, ...values.filter((value) => typeof value === 'string' || typeof value === 'number')].join(' ')
}

function pathOf({ path }: AnyStateNode): string {
  return path.join('.')
}

function join(above: string, name: string): string {
  return above === '' ? name : `${above}.${name}`
}
