/** Debug events of a whole step: start and end of a turn, and the states that changed. */
import type { RunReply } from '../../../src/domain/commands/session-commands.js'
import { oneMore } from '../../../src/domain/counting.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { traceActor } from '../../behaviour/trace.js'
import type { SessionHead } from '../record/head.js'
import type { Work } from '../record/work.js'

/** Runs a turn between its start and end events. A refused turn has only a start event. */
export function* tracedTurn(work: Work, run: Pieces<RunReply>): Pieces<RunReply> {
  const { state, services } = work
  if (!services.tracer.isEnabled) return yield* run
  // An input that is held back becomes no turn, but is traced with the number it would have had.
  const turn = oneMore(state.head.interactionCount)
  const startedMs = services.monotonicMs()
  traceActor(services.tracer, 'turn.started', state.address, { turn })
  const reply = yield* run
  const { topSimilarity, driftScore, driftPhase, phase, shortCircuit, retrievalError, isolation } = reply
  if (isolation.level !== 'OPEN') traceActor(services.tracer, 'isolation.decided', state.address, { ...isolation, turn })
  traceActor(services.tracer, 'turn.finished', state.address, {
    turn,
    durationMs: services.monotonicMs() - startedMs,
    topSimilarity,
    driftScore,
    driftPhase,
    phase,
    isShortCircuit: shortCircuit,
    isFaulty: retrievalError,
    isolationAction: isolation.action,
    isolationSimilarity: isolation.similarity
  })
  return reply
}

/** Traces the states of the session that a step, turn or not, has changed. */
export function traceMoves({ state, services }: Work, before: SessionHead): void {
  const { head } = state
  if (!services.tracer.isEnabled || head === before) return
  const { interactionCount: turn, driftScore } = head
  if (head.driftPhase !== before.driftPhase)
    traceActor(services.tracer, 'drift.moved', state.address, { from: before.driftPhase, to: head.driftPhase, driftScore, turn })
  if (head.phase !== before.phase)
    traceActor(services.tracer, 'understanding.moved', state.address, { from: before.phase, to: head.phase, turn })
  if (head.segment !== before.segment)
    traceActor(services.tracer, 'topic.switched', state.address, { from: before.segment, to: head.segment, turn })
  if (head.isolationLevel !== before.isolationLevel)
    traceActor(services.tracer, 'isolation.moved', state.address, { from: before.isolationLevel, to: head.isolationLevel, turn })
}
