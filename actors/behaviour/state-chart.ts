/**
 * The chart of an actor's state: what its steps tell, and what follows from it. It runs as a child of the actor while that is active,
 * so that an inspector sees each of its transitions. A child rather than regions of the actor's own machine, which make every command of
 * its life dearer: 36 µs a run of a session against 57. XState's pure `transition` makes an actor for each event: 138 µs, and nobody sees
 * it. Measured by bench/charts.ts.
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

/** Where a state's machine is, and what it asks for. A task is one of its actions, by name: the step that told the event does it. */
export interface StateChart<Value extends StateValue, Event extends EventObject, Task extends string> {
  value(): Value
  /** Takes the event, and returns the actions that the chart asks for, in their order. */
  tell(event: Event): readonly Task[]
  /** What it would ask for. Changes nothing. */
  foresee(event: Event): readonly Task[]
  /** Puts it where a record says that it is: no transition is taken, and nothing is asked for. */
  place(value: Value): void
}

/** What a behaviour says of its chart: the machine, and where a state keeps the chart. */
export interface ChartKind<State> {
  readonly machine: AnyStateMachine
  of(state: State): { readonly value: () => StateValue }
}

/** As much as the logic of a child asks of the chart that it is to run. */
interface Runs {
  readonly value: () => StateValue
  run(ref: ChartRef): void
}

interface ChartRef {
  send(event: AnyEventObject): void
  getSnapshot(): AnyMachineSnapshot
}

/** Moves a chart without any transition of its machine. */
const PLACE = 'chart.place'

/** What the event that is being told was followed by. One event is told at a time, and to its end. */
let asked: string[] = []

/** A chart that is at `value`. Until an actor runs it, it runs by itself. */
export function createStateChart<Value extends StateValue, Event extends EventObject, Task extends string>(
  machine: AnyStateMachine,
  value: Value
): StateChart<Value, Event, Task> {
  return new RunningChart<Value, Event, Task>(machine, value)
}

/** A class, because each session has one: functions of its own would weigh more than what they work with. */
class RunningChart<Value extends StateValue, Event extends EventObject, Task extends string>
  implements StateChart<Value, Event, Task>, Runs
{
  private ref: ChartRef | null = null

  constructor(
    private readonly machine: AnyStateMachine,
    private readonly first: Value
  ) {}

  value(): Value {
    return this.snapshot().value as Value
  }

  tell(event: Event): readonly Task[] {
    asked = []
    this.running().send(event)
    return asked as Task[]
  }

  foresee(event: Event): readonly Task[] {
    return this.machine.getTransitionData(this.snapshot(), event).flatMap(({ actions }) => actions.map(typeOf)) as Task[]
  }

  place(value: Value): void {
    this.running().send({ type: PLACE, value })
  }

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
        { input: { cell: {} } }
      ).start()
    )
  }
}

/** What an actor's machine invokes as its chart. `chartOf` finds the chart by the cell that the child gets as its input. */
export function chartLogic(machine: AnyStateMachine, chartOf: (cell: object) => unknown): AnyActorLogic {
  // The machine itself, but that it begins where its chart is, and that what it asks for is noted.
  return Object.assign(Object.create(machine) as AnyActorLogic, {
    getInitialSnapshot(scope: AnyActorScope, { cell }: { readonly cell: object }) {
      const chart = chartOf(cell) as Runs
      const snapshot = at(machine, chart.value())
      chart.run(scope.self as ChartRef)
      return snapshot
    },
    transition(snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: AnyActorScope) {
      if (event.type === PLACE) return at(machine, event['value'] as StateValue)
      const actionExecutor: AnyActorScope['actionExecutor'] = (action) => {
        // XState's own, such as an event for another region, are no tasks.
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
