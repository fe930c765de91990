/**
 * State chart of an actor: its steps send it events, and it names the actions that follow. It runs as a child of the active actor, so that
 * an inspector sees each transition. A child rather than regions of the actor's own machine, which would make every command of the
 * lifecycle dearer: 36 µs per run of a session against 57. XState's pure `transition` creates an actor for each event: 138 µs, and
 * invisible to inspectors. Measured by bench/charts.ts.
 */
import {
  type AnyActorLogic,
  type AnyActorScope,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type EventObject,
  type StateValue
} from 'xstate'

/** Chart of a behaviour: the machine, and where a state keeps its chart. */
export interface ChartKind<State> {
  readonly machine: AnyStateMachine
  of(state: State): { readonly value: () => StateValue }
}

interface ChartRef {
  send(event: AnyEventObject): void
  getSnapshot(): AnyMachineSnapshot
}

/** Type of the event that moves a chart without a transition of its machine. */
const PLACE = 'chart.place'

/** Tasks of the event that is being sent. Shared by all charts: events are handled synchronously, one at a time. */
let asked: string[] = []

/**
 * Running chart of one actor. Until the actor runs it, it runs on its own. A task is the name of one of the chart's actions; the step that
 * sent the event carries it out. A class rather than closures: every session has one, and per-instance functions would outweigh the data.
 */
export class StateChart<Value extends StateValue, Event extends EventObject, Task extends string> {
  private ref: ChartRef | null = null

  /** `first`: state in which it starts. */
  constructor(
    private readonly machine: AnyStateMachine,
    private readonly first: Value
  ) {}

  value(): Value {
    return this.snapshot().value as Value
  }

  /** Sends the event. Returns the tasks that follow, in order. */
  tell(event: Event): readonly Task[] {
    asked = []
    this.running().send(event)
    return asked as Task[]
  }

  /** Returns the tasks that would follow the event, without sending it. */
  foresee(event: Event): readonly Task[] {
    return this.machine.getTransitionData(this.snapshot(), event).flatMap(({ actions }) => actions.map(typeOf)) as Task[]
  }

  /** Moves the chart to the state that a record tells, without transitions or tasks. */
  place(value: Value): void {
    this.running().send({ type: PLACE, value })
  }

  /** Has the chart run as this child of its actor. */
  run(ref: ChartRef): void {
    this.ref = ref
  }

  private snapshot(): AnyMachineSnapshot {
    return this.ref?.getSnapshot() ?? at(this.machine, this.first)
  }

  private running(): ChartRef {
    return (
      this.ref ??
      createActor(
        chartLogic(this.machine, () => this),
        { input: { activation: {} } }
      ).start()
    )
  }
}

/** Logic that an actor's machine invokes as its chart. `chartOf` finds the chart by the activation that the child gets as its input. */
export function chartLogic(machine: AnyStateMachine, chartOf: (activation: object) => unknown): AnyActorLogic {
  // The machine itself, except that it starts in its chart's state and records the tasks.
  return Object.assign(Object.create(machine) as AnyActorLogic, {
    getInitialSnapshot(scope: AnyActorScope, { activation }: { readonly activation: object }) {
      const chart = chartOf(activation) as StateChart<StateValue, EventObject, string>
      const snapshot = at(machine, chart.value())
      chart.run(scope.self as ChartRef)
      return snapshot
    },
    transition(snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: AnyActorScope) {
      if (event.type === PLACE) return at(machine, event['value'] as StateValue)
      const actionExecutor: AnyActorScope['actionExecutor'] = (action) => {
        // XState's own actions, such as an event for another region, are not tasks.
        if (!action.type.startsWith('xstate.')) asked.push(action.type)
        scope.actionExecutor(action)
      }
      return machine.transition(snapshot, event, { ...scope, actionExecutor })
    }
  })
}

function at(machine: AnyStateMachine, value: StateValue): AnyMachineSnapshot {
  return machine.resolveState({ value, context: {} })
}

function typeOf(action: unknown): string {
  return typeof action === 'string' ? action : (action as { readonly type: string }).type
}
