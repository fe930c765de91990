/** Steps in which others read and move the semantic state. */
import type { BlendState, CoordinationReplies, ReadState, TransferState } from '../../../src/domain/commands/coordination-commands.js'
import { unitedUsers } from '../../../src/domain/shared-users.js'
import { addScaled, norm, unitOf } from '../../../src/domain/similarity/vector.js'
import { traceActor } from '../../behaviour/trace.js'
import { tellMind } from '../record/mind.js'
import { hasDelivery, noteDelivery } from '../record/ties.js'
import { liveCount } from '../record/views.js'
import { needed, refuseWhenOutdated, type Work } from '../record/work.js'
import { addDelta } from '../semantic-state/deltas.js'
import { stateSumOf, stateUsers, stateVector } from '../semantic-state/folds.js'

export function readState({ state, now }: Work, _: ReadState): CoordinationReplies['state.read'] {
  const { settings, phase, driftPhase, driftScore, interactionCount } = state.head
  const { madeAt } = state.ties
  const vector = stateVector(state)
  return {
    state: vector === null ? null : { vector, users: stateUsers(state) },
    dimension: settings.dimension,
    modelName: settings.modelName,
    ...(madeAt !== undefined && { madeAt }),
    phase,
    driftPhase,
    driftScore,
    interactionCount,
    totalMemories: liveCount(state, now)
  }
}

/**
 * Moves the state s to s' = unit((1 - c) · s + c · t) by the delta s' - u, where s is the direction of the sum u. A coupling c of 1 gives
 * exactly the target t, and 0 changes nothing. A session without a state takes on t with weight c. Ends a realignment under way, which
 * would pull the state back.
 */
export function blendState(work: Work, command: BlendState): CoordinationReplies['state.blend'] {
  const { state, services } = work
  const { deliveryId, target, modelName, coupling } = command
  if (hasDelivery(state, deliveryId)) return { isApplied: true }
  const { settings } = state.head
  const isAlike = settings.modelName === modelName && settings.dimension === target.vector.length
  if (coupling <= 0 || !isAlike) return { isApplied: false }
  const own = stateVector(state)
  const wanted = own === null ? target.vector.map((value) => value * coupling) : between(own, target.vector, coupling)
  // Opposite vectors cancel out at a coupling of one half: there is no direction to move to.
  if (wanted === null) return { isApplied: false }
  const sum = stateSumOf(state)
  addDelta(work, { vector: wanted.map((value, at) => value - (sum[at] ?? 0)), users: unitedUsers([target.users, stateUsers(state)]) })
  if (tellMind(state, { type: 'state.blended' }).includes('endPull')) state.head = { ...state.head, realignmentRemaining: 0 }
  noteDelivery(state, deliveryId)
  traceActor(services.tracer, 'fold.blend', state.address, { deliveryId, coupling, turn: state.head.interactionCount })
  return { isApplied: true }
}

/**
 * Adds maxWeight · (source state - own state) to the state; without an own state, maxWeight · source state. Interface, Network. The delta
 * also normalises the sum that it is added to: otherwise earlier deltas, which leave the sum shorter or longer than a unit vector, would
 * make this one move the state too far, or not far enough.
 */
export function transferState(work: Work, command: TransferState): CoordinationReplies['state.transfer'] {
  const { state, services, prepared } = work
  const source = needed(prepared.source).state
  const { maxWeight } = command
  refuseWhenOutdated(work)
  if (source === null) return { deltaNorm: 0, appliedWeight: maxWeight }
  const own = stateVector(state)
  const delta = source.vector.map((value, at) => maxWeight * (value - (own?.[at] ?? 0)))
  const deltaNorm = norm(delta)
  const sum = stateSumOf(state)
  const direction = unitOf(sum)
  const vector = delta.map((value, at) => value + (direction?.[at] ?? 0) - (sum[at] ?? 0))
  if (deltaNorm > 0) addDelta(work, { vector, users: unitedUsers([source.users, stateUsers(state)]) })
  services.counters.count({ name: 'transfer' })
  traceActor(services.tracer, 'fold.transfer', state.address, {
    sourceSessionId: command.sourceSessionId,
    deltaNorm,
    turn: state.head.interactionCount
  })
  return { deltaNorm, appliedWeight: maxWeight }
}

function between(own: Float32Array, target: Float32Array, share: number): Float32Array | null {
  const sum = new Float64Array(own.length)
  addScaled(sum, own, 1 - share)
  addScaled(sum, target, share)
  return unitOf(sum)
}
