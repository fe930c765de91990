/** Random walks that hold a machine against an independent description of it, and copies of the machine that a walk has to tell from it. */
import { createMachine, initialTransition, transition, type AnyEventObject, type AnyStateMachine } from 'xstate'

/** What shows of one event: where the machine is then, what it asked for, and how it ended when it did. */
export interface Shown {
  readonly value: unknown
  /** Without those of XState. */
  readonly actions: readonly string[]
  readonly output?: unknown
}

/** The description: written from what the machine is for, not from its chart. */
export interface Model {
  tell(event: AnyEventObject): Shown
  /** Events that do something now: the walk takes them more often than others. */
  heard(): readonly AnyEventObject[]
}

export interface ModelWalk {
  readonly machine: AnyStateMachine
  readonly input?: object
  /** Also those that nothing hears. A failure that nobody hears is not among them: XState ends the machine then. */
  readonly events: readonly AnyEventObject[]
  readonly createModel: () => Model
  /** Default: 10,000. */
  readonly steps?: number
  /** Default: 1. */
  readonly seed?: number
}

/** As much of a snapshot as is looked at. */
interface Reached {
  readonly value: unknown
  readonly status: string
  readonly output: unknown
  readonly error: unknown
}

/** Share of the events that the model hears. */
const HEARD_SHARE = 0.8

/** The first difference between the machine and its model, as text; null when there is none. A machine that ends begins anew. */
export function firstDifference({ machine, input, events, createModel, steps = 10_000, seed = 1 }: ModelWalk): string | null {
  const random = createRandom(seed)
  const loose = events.filter(({ type }) => !type.startsWith('xstate.error.'))
  const oneOf = (list: readonly AnyEventObject[]) => list[Math.floor(random() * list.length)] as AnyEventObject
  let [snapshot] = initialTransition(machine, input)
  let model = createModel()
  let way: string[] = []
  for (let step = 0; step < steps; step++) {
    const heard = model.heard()
    const event = heard.length > 0 && random() < HEARD_SHARE ? oneOf(heard) : oneOf(loose)
    const [next, actions] = transition(machine, snapshot, event)
    const reached: Reached = next
    const { value, status, output, error } = reached
    const names = actions.map(({ type }) => type).filter((type) => !type.startsWith('xstate.'))
    const real: Shown = { value, actions: names, ...(status === 'done' && { output }), ...(status === 'error' && { output: error }) }
    const described = model.tell(event)
    way.push(event.type)
    if (textOf(real) !== textOf(described)) return `after ${way.slice(-8).join(', ')}: ${textOf(real)} instead of ${textOf(described)}`
    snapshot = next
    if (status === 'active') continue
    way = []
    model = createModel()
    ;[snapshot] = initialTransition(machine, input)
  }
  return null
}

/** Copies of the machine, each without one guard or one action of its chart. */
export function mutantsOf(machine: AnyStateMachine): { readonly name: string; readonly machine: AnyStateMachine }[] {
  return partsOf(machine.config, []).map((path) => ({ name: path.join('.'), machine: createMachine(without(machine.config, path) as typeof machine.config, machine.implementations as object) }))
}

const ACTION_KEYS = new Set(['actions', 'entry', 'exit'])

/** Where the chart names a guard or an action. */
function partsOf(node: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, child]: [string, unknown]) => {
    const own = [...path, key]
    if (key === 'guard') return [own]
    if (!ACTION_KEYS.has(key)) return partsOf(child, own)
    return Array.isArray(child) ? child.map((_, at) => [...own, String(at)]) : [own]
  })
}

/** A copy without what is at the path. */
function without(node: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return node
  if (Array.isArray(node)) return node.flatMap((item: unknown, at) => (String(at) !== key ? [item] : rest.length === 0 ? [] : [without(item, rest)]))
  return Object.fromEntries(Object.entries(node as object).flatMap(([name, child]) => (name !== key ? [[name, child]] : rest.length === 0 ? [] : [[name, without(child, rest)]])))
}

/** Equal for equal values, whatever the order of keys. Errors and what the machine only passes on are told apart by what they say. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Error) return inner.message
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
