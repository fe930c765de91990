/** Explores a machine without its effects, to find transitions that no events take. */
import type { AnyEventObject, AnyStateMachine, AnyStateNode, EventFromLogic, InputFrom } from 'xstate'
import { getShortestPaths } from 'xstate/graph'

export interface Coverage {
  /** Paths of the states reached, such as `active.committing`. */
  readonly states: string[]
  /** Transitions that were never taken, as `state: event -> targets`. */
  readonly missed: string[]
}

interface WalkOptions<Machine extends AnyStateMachine> {
  readonly events: readonly EventFromLogic<Machine>[]
  readonly input?: InputFrom<Machine>
}

/** Explores every state that `events` lead to, and lists the transitions of the definition that were never taken. */
export function walk<Machine extends AnyStateMachine>(machine: Machine, options: WalkOptions<Machine>): Coverage {
  const taken = new Set<string>()
  const states = new Set<string>()
  const paths = getShortestPaths(machine, {
    events: [...options.events],
    ...(options.input === undefined ? {} : { input: options.input }),
    limit: 100_000
  })
  for (const { state } of paths) {
    for (const node of state._nodes) states.add(node.path.join('.'))
    for (const event of options.events) {
      // The transitions that XState itself selects in this state for this event, including guards.
      for (const transition of machine.getTransitionData(state, event)) taken.add(nameOf(transition))
    }
    for (const node of state._nodes) for (const transition of node.always ?? []) if (isEventless(transition)) taken.add(nameOf(transition))
  }
  const all = nodesOf(machine.root).flatMap((node) => [...node.transitions.values()].flat())
  return { states: [...states].filter((path) => path !== '').sort(), missed: all.map(nameOf).filter((name) => !taken.has(name)) }
}

/** The report of an invoked effect. */
export interface Report extends AnyEventObject {
  readonly actorId: string
}

/** Report that the effect invoked in a state is done. XState names it after the state. */
export function done(machine: string, state: string, output?: unknown): Report {
  const actorId = `0.${machine}.${state}`
  return { type: `xstate.done.actor.${actorId}`, output, actorId }
}

/** Report that the effect invoked in a state failed. */
export function failed(machine: string, state: string, error: unknown): Report {
  const actorId = `0.${machine}.${state}`
  return { type: `xstate.error.actor.${actorId}`, error, actorId }
}

/** The end of a named delay. */
export function passed(machine: string, state: string, delay: string): AnyEventObject {
  return { type: `xstate.after.${delay}.${machine}.${state}` }
}

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)]
}

interface Transition {
  readonly source: { readonly id: string }
  readonly eventType: string
  readonly target?: readonly { readonly id: string }[] | undefined
  readonly guard?: unknown
}

function isEventless({ eventType }: Transition): boolean {
  return eventType === ''
}

function nameOf({ source, eventType, target = [], guard }: Transition): string {
  const condition = typeof guard === 'object' && guard !== null && 'type' in guard ? ` [${String(guard.type)}]` : ''
  return `${source.id}: ${eventType}${condition} -> ${target.map(({ id }) => id).join(',')}`
}
