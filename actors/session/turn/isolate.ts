/** Keeps a session to its domain: what happens to an input, and what is held back. */
import type { MindEvent, MindTask } from '../../../machines/mind-machine.js'
import { filteredShare, judgeDomain, judgeUnchecked } from '../../../src/domain/isolation.js'
import { COUNT_MAX, HELD_INPUTS_MAX } from '../../../src/domain/limits.js'
import type { HeldInput, IsolationAction } from '../../../src/domain/session.js'
import { similarityScale } from '../recall/scale.js'
import { HELD } from '../record/head.js'
import { memoryVector } from '../record/memory-vector.js'
import type { SessionState } from '../record/state.js'
import { trace } from '../record/trace.js'
import type { EmbeddedText, Work } from '../record/work.js'
import { anchorVectors } from '../semantic-state/folds.js'

export interface IsolatedInput {
  readonly action: IsolationAction
  /** Best similarity to the domain, -1..1; null while the session has none. */
  readonly similarity: number | null
  /** Share of the input that is left, 0..1. */
  readonly share: number
}

/** Offers an input to the session's chart, which decides what becomes of it, and tells watchers when there is no room to hold it. */
export function isolate({ state, services }: Work, text: EmbeddedText): IsolatedInput {
  const input = decided(state, text, (event) => state.mind.tell(event))
  if (input.action === 'blocked' && state.head.isolationLevel === 'QUARANTINE') {
    trace(state, services, 'isolation.hold_full', { heldCount: state.held.size })
  }
  return input
}

/** What would become of an input. */
export function actionFor(state: SessionState, text: EmbeddedText): IsolatedInput {
  return decided(state, text, (event) => state.mind.foresee(event))
}

/** What the step does for each task that the chart sets for an input. */
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

/** Share of a text that is stored rather than asked, 0..1: FILTER weighs it down as it does a message; no level holds it back. */
export function isolatedShareOf(state: SessionState, text: EmbeddedText): number {
  return state.head.isolationLevel === 'FILTER' ? actionFor(state, text).share : 1
}

/** Whether an input of this fate becomes part of the session. */
export function isAdmitted(action: IsolationAction): boolean {
  return action === 'passed' || action === 'down_weighted'
}

/** Puts an input on the hold list. The caller knows that there is room. */
export function hold(work: Work, text: EmbeddedText, userId: string | null): void {
  const { state, journal, services, writtenAt } = work
  const input: HeldInput = { id: services.ids.uuid(), seq: lastHeldSeq(state) + 1, userId, timestamp: writtenAt, ...text }
  state.held.set(input.id, input)
  journal.put(HELD, input.id, input)
}

/** Inputs are held in their order. */
function lastHeldSeq({ held }: SessionState): number {
  return [...held.values()].at(-1)?.seq ?? 0
}

/** Takes an input off the hold list. */
export function unhold({ state, journal }: Work, id: string): void {
  state.held.delete(id)
  journal.remove(HELD, id)
}
