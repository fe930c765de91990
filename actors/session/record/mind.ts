/** Keeps a session's chart and its head in step: the head stores the state that the chart is in. */
import { type MindEvent, mindMachine, type MindTask, type MindValue } from '../../../machines/mind-machine.js'
import { StateChart } from '../../behaviour/state-chart.js'
import type { SessionHead } from './head.js'

export type Mind = StateChart<MindValue, MindEvent, MindTask>

/** Fields of the head that the chart decides. */
type MindHead = Pick<SessionHead, 'driftPhase' | 'calmTurns' | 'phase' | 'isolationLevel'>

interface Minded {
  head: SessionHead
  readonly mind: Mind
}

const DRIFTED = ['over', 'underOnce', 'underTwice'] as const

/** Largest number of consecutive turns under the threshold while a session is drifted. */
export const CALM_TURNS_MAX = DRIFTED.length - 1

export function createMind(head: SessionHead): Mind {
  return new StateChart(mindMachine, valueOf(head))
}

/** Sends an event to the session's chart, and stores its new state in the head. Returns the tasks for the caller to carry out. */
export function tellMind(state: Minded, event: MindEvent): readonly MindTask[] {
  const tasks = state.mind.tell(event)
  const next = headOf(state.mind.value())
  const isMoved = (Object.keys(next) as (keyof MindHead)[]).some((key) => next[key] !== state.head[key])
  if (isMoved) state.head = { ...state.head, ...next }
  return tasks
}

/** Moves the chart to the state of the head, after the head was replaced. */
export function placeMind({ mind, head }: Minded): void {
  mind.place(valueOf(head))
}

function valueOf({ driftPhase, calmTurns, phase, isolationLevel, realignmentRemaining }: SessionHead): MindValue {
  return {
    drift: driftPhase === 'drifted' ? { drifted: DRIFTED[calmTurns] ?? 'over' } : driftPhase,
    understanding: phase,
    isolation: isolationLevel,
    realignment: realignmentRemaining > 0 ? 'pulling' : 'resting'
  }
}

function headOf({ drift, understanding, isolation }: MindValue): MindHead {
  const driftState =
    typeof drift === 'string'
      ? { driftPhase: drift, calmTurns: 0 }
      : { driftPhase: 'drifted' as const, calmTurns: DRIFTED.indexOf(drift.drifted) }
  return { phase: understanding, isolationLevel: isolation, ...driftState }
}
