/** The machines that decide here, as charts to be drawn: states and the events between them, by name. */
import { kindMachines } from './kinds.js'
import { membershipMachine } from './membership-machine.js'
import { mindMachine } from './mind-machine.js'
import { nodeMachine } from './node-machine.js'
import { realignmentMachine } from './realignment-machine.js'
import { sharingMachine } from './sharing-machine.js'
import { supervisorMachine } from './supervisor-machine.js'
import { watchingMachine } from './watching-machine.js'

export interface ShownTransition {
  /** The event's name; empty for one that is taken without any. */
  readonly event: string
  /** Keys of the states from the machine down, joined by dots; null for one that stays where it is. */
  readonly target: string | null
  /** Null: always taken. */
  readonly guard: string | null
  readonly actions: readonly string[]
}

export interface ShownState {
  readonly key: string
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  /** Key of the state that is entered first; null where there is none. */
  readonly initial: string | null
  readonly entry: readonly string[]
  readonly exit: readonly string[]
  readonly transitions: readonly ShownTransition[]
  readonly states: readonly ShownState[]
}

const ROOTS: readonly MachineNode[] = [
  nodeMachine.root,
  membershipMachine.root,
  supervisorMachine.root,
  ...Object.values(kindMachines).map(({ root }) => root),
  mindMachine.root,
  sharingMachine.root,
  realignmentMachine.root,
  watchingMachine.root
]

/** One chart a machine; its key is the machine's id. */
export function shownCharts(): readonly ShownState[] {
  return ROOTS.map(toChart)
}

/** As much of XState's own node as a chart shows; its types leave context and events open, which are not read here. */
interface MachineNode {
  readonly key: string
  readonly type: ShownState['type']
  readonly path: readonly string[]
  readonly initial: { readonly target: readonly MachineNode[] | undefined }
  readonly transitions: ReadonlyMap<string, readonly Transition[]>
  readonly always?: readonly Transition[] | undefined
  readonly entry: readonly unknown[]
  readonly exit: readonly unknown[]
  readonly states: Readonly<Record<string, MachineNode>>
}

interface Transition {
  readonly eventType: string
  readonly target: readonly MachineNode[] | undefined
  readonly guard?: unknown
  readonly actions: readonly unknown[]
}

function toChart(node: MachineNode): ShownState {
  const initial = node.type === 'compound' ? (node.initial.target?.[0]?.key ?? null) : null
  const own = [...node.transitions.values()].flat()
  const transitions = [...own, ...(node.always ?? [])].map(({ eventType, target, guard, actions }) => ({
    event: eventType,
    target: target?.[0]?.path.join('.') ?? null,
    guard: guard === undefined ? null : nameOf(guard),
    actions: actions.map(nameOf)
  }))
  return {
    key: node.key,
    type: node.type,
    initial,
    entry: node.entry.map(nameOf),
    exit: node.exit.map(nameOf),
    transitions,
    states: Object.values(node.states).map(toChart)
  }
}

/** Machines here name all of theirs; what XState adds itself, such as a timer, carries its type. */
function nameOf(part: unknown): string {
  if (typeof part === 'string') return part
  const { type = '', name } = part as { readonly type?: string; readonly name?: string }
  return name ?? type
}
