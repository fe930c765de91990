/** A state chart as data, read without running it: its states and transitions as a list, with targets resolved. */

/** A guard or an action: its name alone, or with parameters. */
export type ChartName = string | { readonly type: string; readonly params?: unknown }

export interface ChartTransition {
  /** `name` a sibling, `.name` a child, `#id` or `#id.path` anywhere; absent: stays where it is. */
  readonly target?: string
  readonly guard?: ChartName
  readonly actions?: ChartName | readonly ChartName[]
  readonly reenter?: boolean
}

/** One transition, its target alone, or several of which the first that may be taken is. */
export type ChartTransitions = string | ChartTransition | readonly ChartTransition[]

export interface ChartInvocation {
  readonly src: string
  readonly onDone?: ChartTransitions
  readonly onError?: ChartTransitions
}

/** A state, or the whole machine: what `createMachine` takes, and the visualizer of Stately imports. */
export interface ChartState {
  readonly id?: string
  readonly type?: 'parallel' | 'final' | 'history' | 'atomic' | 'compound'
  readonly initial?: string
  readonly entry?: ChartName | readonly ChartName[]
  readonly exit?: ChartName | readonly ChartName[]
  readonly on?: Readonly<Record<string, ChartTransitions>>
  readonly after?: Readonly<Record<string, ChartTransitions>>
  readonly always?: ChartTransitions
  readonly invoke?: ChartInvocation | readonly ChartInvocation[]
  readonly states?: Readonly<Record<string, ChartState>>
}

export interface ChartEdge {
  /** Path of the state that the transition leaves, such as `active.settled`; empty for the machine itself. */
  readonly source: string
  /** Path of the state it enters; null when it only acts. */
  readonly target: string | null
  /** A command, `done: effect`, `failed: effect`, `after delay`, or `at once`. */
  readonly trigger: string
  readonly guard: string | null
  readonly actions: readonly string[]
}

/** A state with its place, from the outside in. */
export interface ChartNode {
  /** Empty for the machine itself. */
  readonly path: string
  readonly name: string
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final'
  /** Name of the child it starts in; null without children, and where it is in all of them. */
  readonly initial: string | null
  readonly children: readonly ChartNode[]
  /** Transitions of this state, in the order in which they are tried. */
  readonly edges: readonly ChartEdge[]
}

/** The chart of a machine as a tree. Throws an Error for a target that does not exist. */
export function readChart(chart: ChartState): ChartNode {
  const machine = chart.id ?? 'machine'
  const root = readState(chart, { path: '', name: machine, ids: idsOf(chart, '') })
  const paths = new Set(flatten(root).map(({ path }) => path))
  for (const { target } of flatten(root).flatMap(({ edges }) => edges)) {
    if (target !== null && !paths.has(target)) throw new Error(`The chart of ${machine} has no state ${target}`)
  }
  return root
}

/** A state and all states in it. */
export function flatten(node: ChartNode): readonly ChartNode[] {
  return [node, ...node.children.flatMap(flatten)]
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

interface Place {
  readonly path: string
  readonly name: string
  /** Paths of the states that have an id, by that. */
  readonly ids: ReadonlyMap<string, string>
}

function idsOf({ id, states = {} }: ChartState, path: string): ReadonlyMap<string, string> {
  const inner = Object.entries(states).flatMap(([name, child]) => [...idsOf(child, join(path, name))])
  return new Map([...(id === undefined ? [] : [[id, path] as const]), ...inner])
}

function readState(state: ChartState, place: Place): ChartNode {
  const children = Object.entries(state.states ?? {}).map(([name, child]) =>
    readState(child, { path: join(place.path, name), name, ids: place.ids })
  )
  const kind = state.type === 'parallel' || state.type === 'final' ? state.type : children.length > 0 ? 'compound' : 'atomic'
  return { path: place.path, name: place.name, kind, initial: state.initial ?? null, children, edges: readEdges(state, place) }
}

function readEdges(state: ChartState, place: Place): readonly ChartEdge[] {
  const found: ChartEdge[] = []
  const add = (trigger: string, transitions: ChartTransitions | undefined): void => {
    for (const transition of transitions === undefined ? [] : listOf(transitions)) found.push(readEdge(transition, { trigger, place }))
  }
  add('at once', state.always)
  for (const { src, onDone, onError } of state.invoke === undefined ? [] : listOf(state.invoke)) {
    add(`done: ${src}`, onDone)
    add(`failed: ${src}`, onError)
  }
  for (const [event, transitions] of Object.entries(state.on ?? {})) add(event, transitions)
  for (const [delay, transitions] of Object.entries(state.after ?? {})) add(`after ${delay}`, transitions)
  return found
}

function readEdge(transition: string | ChartTransition, { trigger, place }: { trigger: string; place: Place }): ChartEdge {
  const { target, guard, actions = [] } = typeof transition === 'string' ? { target: transition } : transition
  return {
    source: place.path,
    target: target === undefined ? null : resolveTarget(target, place),
    trigger,
    guard: guard === undefined ? null : toName(guard),
    actions: listOf(actions).map(toName)
  }
}

function resolveTarget(target: string, { path, ids }: Place): string {
  if (target.startsWith('#')) {
    const [id = '', ...inner] = target.slice(1).split('.')
    return [ids.get(id) ?? id, ...inner].filter((name) => name !== '').join('.')
  }
  if (target.startsWith('.')) return join(path, target.slice(1))
  return join(path.split('.').slice(0, -1).join('.'), target)
}

/** A guard that depends on its parameters, such as a level, is told apart by those that are plain values. */
function toName(entry: ChartName): string {
  if (typeof entry === 'string') return entry
  const params = typeof entry.params === 'object' && entry.params !== null ? Object.values(entry.params) : []
  const plain = params.filter((value) => typeof value === 'string' || typeof value === 'number')
  return plain.length === 0 ? entry.type : `${entry.type} ${plain.join(' ')}`
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T]
}

function join(above: string, name: string): string {
  return above === '' ? name : `${above}.${name}`
}
