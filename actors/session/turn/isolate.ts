/** Isolation: decides what happens to an input with respect to the session's domain, and holds inputs back. */
import type { MindEvent, MindTask } from '../../../machines/mind-machine.js'
import { filteredShare, judgeDomain, judgeUnchecked } from '../../../src/domain/similarity/isolation.js'
import { COUNT_MAX, HELD_INPUTS_MAX } from '../../../src/domain/limits.js'
import type { HeldInput, IsolationAction } from '../../../src/domain/session.js'
import { traceActor } from '../../behaviour/trace.js'
import { similarityScale } from '../recall/scale.js'
import { HELD } from '../record/head.js'
import { memoryVector } from '../record/memory-vector.js'
import type { SessionState } from '../record/state.js'
import type { EmbeddedText, Work } from '../record/work.js'
import { anchorVectors } from '../semantic-state/folds.js'

export interface IsolatedInput {
  readonly action: IsolationAction
  /** Best similarity to the domain, -1..1; null while the session has no domain. */
  readonly similarity: number | null
  /** Share that isolation leaves of the input, 0..1. */
  readonly share: number
}

/** Offers an input to the session's chart, which decides its fate. Traces when there is no room to hold it. */
export function isolate({ state, services }: Work, text: EmbeddedText): IsolatedInput {
  const input = decided(state, text, (event) => state.mind.tell(event))
  if (input.action === 'blocked' && state.head.isolationLevel === 'QUARANTINE') {
    traceActor(services.tracer, 'isolation.hold_full', state.address, { heldCount: state.held.size })
  }
  return input
}

/** Returns the decision on an input without changing anything. */
export function actionFor(state: SessionState, text: EmbeddedText): IsolatedInput {
  return decided(state, text, (event) => state.mind.foresee(event))
}

/** Action of the step for each task that the chart sets for an input. */
const ACTIONS: Partial<Readonly<Record<MindTask, IsolationAction>>> = {
  pass: 'passed',
  downWeight: 'down_weighted',
  hold: 'quarantined',
  block: 'blocked'
}

function decided(state: SessionState, text: EmbeddedText, decide: (event: MindEvent) => readonly MindTask[]): IsolatedInput {
  const { isolationLevel: level, isolationThreshold: threshold } = state.head
  const question = {
    vector: memoryVector(text),
    scale: similarityScale(state),
    level,
    threshold,
    anchors: anchorVectors(state),
    ...state.isolation
  }
  const answer = text.isPending ? judgeUnchecked(question) : judgeDomain(question)
  const isHoldFull = state.held.size >= HELD_INPUTS_MAX || lastHeldSeq(state) >= COUNT_MAX
  const [task] = decide({ type: 'input.offered', isOffDomain: answer.isOffDomain, isHoldFull })
  const action = task === undefined ? undefined : ACTIONS[task]
  if (action === undefined) throw new Error('the chart decided nothing for an input')
  const share = action === 'down_weighted' ? filteredShare(answer, threshold) : action === 'passed' ? 1 : 0
  return { action, similarity: answer.similarity, share }
}

/** Returns the share, 0..1, of a text that is stored and is not a message: FILTER reduces it as for a message; no level holds it back. */
export function isolatedShareOf(state: SessionState, text: EmbeddedText): number {
  return state.head.isolationLevel === 'FILTER' ? actionFor(state, text).share : 1
}

/** Whether an input with this action becomes part of the session. */
export function isAdmitted(action: IsolationAction): boolean {
  return action === 'passed' || action === 'down_weighted'
}

/** Puts an input on the hold list. The caller has checked that there is room. */
export function hold(work: Work, text: EmbeddedText, userId: string | null): void {
  const { state, journal, services, writtenAt } = work
  const input: HeldInput = { id: services.ids.uuid(), seq: lastHeldSeq(state) + 1, userId, timestamp: writtenAt, ...text }
  state.held.set(input.id, input)
  journal.put(HELD, input.id, input)
}

/** Returns the highest `seq` on the hold list, which is in order; 0 if it is empty. */
function lastHeldSeq({ held }: SessionState): number {
  return [...held.values()].at(-1)?.seq ?? 0
}

/** Takes an input off the hold list. */
export function unhold({ state, journal }: Work, id: string): void {
  state.held.delete(id)
  journal.remove(HELD, id)
}
