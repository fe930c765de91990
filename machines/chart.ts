/** A state chart as it is shown: its states and the transitions between them, by name. */
import type { AnyStateNode } from 'xstate'

export interface ChartTransition {
  /** A command, `done effect`, `failed effect`, `after delay`, or `at once`. */
  readonly event: string
  /** Path of the state that is entered; null for one that stays where it is. */
  readonly target: string | null
  /** Null: always taken. Has the plain values of its parameters behind it, such as `levelIs OPEN`. */
  readonly guard: string | null
  readonly actions: readonly string[]
}

/** A state with all states in it. */
export interface ChartState {
  /** Keys of the states from the machine down, joined by dots; empty for the machine itself. */
  readonly path: string
  /** Of the machine itself: its id. */
  readonly key: string
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  /** Key of the state that is entered first; null without states, and where all are entered. */
  readonly initial: string | null
  readonly entry: readonly string[]
  readonly exit: readonly string[]
  /** In the order in which they are tried. */
  readonly transitions: readonly ChartTransition[]
  readonly states: readonly ChartState[]
}

/** The chart of a machine by its `root`, or of one state of it. */
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

/** A state and all states in it, from the outside in. */
export function flatten(state: ChartState): readonly ChartState[] {
  return [state, ...state.states.flatMap(flatten)]
}

/**
 * Paths that are active when a machine is in `value`, a snapshot's `value`: `{active: 'settled'}` gives `active` and
 * `active.settled`.
 */
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

/** An event of XState's own said in words. `effects` are the names of what the state runs, by the ids that XState gives them. */
function toEvent(type: string, effects: ReadonlyMap<string, string>): string {
  if (type === '') return 'at once'
  const [, kind, id = ''] = /^xstate\.(done\.actor|error\.actor|after)\.(.*)$/.exec(type) ?? []
  if (kind === undefined) return type
  if (kind === 'after') return `after ${id.split('.')[0]}`
  return `${kind === 'done.actor' ? 'done' : 'failed'} ${id === '*' ? 'any child' : (effects.get(id) ?? id)}`
}

/** Actions that have no name are XState's own: what begins and ends a delay. */
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
