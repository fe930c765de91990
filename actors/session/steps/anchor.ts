import type { ControlReplies, ReadAnchorScore, SetAnchor } from '../../../src/domain/commands/control-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { ANCHORS_MAX } from '../../../src/domain/limits.js'
import type { Anchor } from '../../../src/domain/session.js'
import { anchorSimilarity } from '../recall/scale.js'
import { toUnitVector } from '../record/embedding.js'
import { ANCHOR } from '../record/head.js'
import { memoryVector } from '../record/memory-vector.js'
import { embedded, type Work } from '../record/work.js'

/** Adds an anchor, from a text or an embedding. */
export function setAnchor(work: Work, command: SetAnchor): ControlReplies['anchor.set'] {
  const { state, journal, services } = work
  const embedding =
    command.embedding === undefined
      ? memoryVector(embedded(work, command.text ?? ''))
      : toUnitVector(command.embedding, state.head.settings.dimension, ['embedding'])
  if (state.anchors.size >= ANCHORS_MAX) {
    throw new DomainError('limit_reached', `Session has ${String(ANCHORS_MAX)} anchors, which is the most it can hold`)
  }
  const anchor: Anchor = { id: services.ids.uuid(), embedding, text: command.text ?? null }
  state.anchors.set(anchor.id, anchor)
  journal.put(ANCHOR, anchor.id, anchor)
  return { anchorCount: state.anchors.size }
}

export function readAnchorScore({ state, services }: Work, _: ReadAnchorScore): ControlReplies['anchor.score'] {
  return {
    anchorScore: anchorSimilarity(state),
    anchorCount: state.anchors.size,
    driftThreshold: services.driftThreshold,
    realignmentRemaining: state.head.realignmentRemaining
  }
}
