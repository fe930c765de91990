/** A session's chart and its head: what the one is at, the other keeps. */
import { type MindEvent, mindMachine, type MindTask, type MindValue } from '../../../machines/mind-machine.js'
import { createStateChart, type StateChart } from '../../behaviour/state-chart.js'
import type { SessionHead } from './head.js'

export type Mind = StateChart<MindValue, MindEvent, MindTask>

/** What of a session's head its chart decides. */
type MindHead = Pick<SessionHead, 'driftPhase' | 'calmTurns' | 'phase' | 'isolationLevel'>

interface Minded {
  head: SessionHead
  readonly mind: Mind
}

const DRIFTED = ['over', 'underOnce', 'underTwice'] as const

/** Most turns in a row that stay under the threshold while a session is drifted. */
export const CALM_TURNS_MAX = DRIFTED.length - 1

export function createMind(head: SessionHead): Mind {
  return createStateChart(mindMachine, valueOf(head))
}

/** Tells the session's chart, and keeps what it is at then. The tasks that it sets are the caller's. */
export function tellMind(state: Minded, event: MindEvent): readonly MindTask[] {
  const tasks = state.mind.tell(event)
  const next = headOf(state.mind.value())
  const isMoved = (Object.keys(next) as (keyof MindHead)[]).some((key) => next[key] !== state.head[key])
  if (isMoved) state.head = { ...state.head, ...next }
  return tasks
}

/** Puts the chart where the head says, which was replaced. */
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
