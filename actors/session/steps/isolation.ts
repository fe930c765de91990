import type { ControlReplies, IsolationReply, ReleaseHeld, SetIsolation } from '../../../src/domain/commands/control-commands.js'
import type { DedupSignal } from '../../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { readText } from '../../../src/domain/text/reading.js'
import { toUnitVectors } from '../record/embedding.js'
import { settled } from '../record/indexing.js'
import { ISOLATION, ISOLATION_ROW } from '../record/head.js'
import { tellMind } from '../record/mind.js'
import type { Work } from '../record/work.js'
import { unhold } from '../turn/isolate.js'
import { judgeMessage, rememberMessage } from '../turn/message.js'
import { countNew, lookForUpdate, refuseWhenFull } from '../turn/take.js'

/** Sets the level and the vectors that inputs are compared with. Held inputs stay held at every level. */
export function* setIsolation({ state, journal }: Work, command: SetIsolation): Pieces<IsolationReply> {
  const { dimension } = state.head.settings
  const exclusions = yield* toUnitVectors(command.exclusionEmbeddings, dimension, 'exclusion_embeddings')
  const allowlist = yield* toUnitVectors(command.allowlistEmbeddings, dimension, 'allowlist_embeddings')
  state.isolation = { exclusions, allowlist }
  journal.put(ISOLATION, ISOLATION_ROW, state.isolation)
  state.head = { ...state.head, isolationThreshold: command.similarityThreshold }
  tellMind(state, { type: 'isolation.set', level: command.level })
  return {
    level: command.level,
    similarityThreshold: command.similarityThreshold,
    exclusionCount: state.isolation.exclusions.length,
    allowlistCount: state.isolation.allowlist.length,
    quarantinedCount: state.held.size
  }
}

/** Admits all held inputs, in order. Throws if not all would fit. The level stays. */
export function* releaseHeld(work: Work, _: ReleaseHeld): Pieces<ControlReplies['isolation.release']> {
  const { state } = work
  const held = [...state.held.values()]
  // If held inputs repeat each other, the count is too high: the release may be refused without need, but nothing is lost.
  const signals: DedupSignal[] = []
  for (const input of held) {
    signals.push(yield* lookForUpdate(work, input, { userId: input.userId }))
    yield
  }
  refuseWhenFull(work, countNew(signals))
  if (!tellMind(state, { type: 'isolation.released' }).includes('admitHeld')) throw new Error('the chart lets nothing in')
  const number = Math.max(1, state.head.interactionCount)
  const { openQuestionId } = state.head
  for (const input of held) {
    const { userId, timestamp } = input
    const reading: Work = { ...work, prepared: { ...work.prepared, readings: new Map([[input.text, yield* readText(input.text)]]) } }
    yield* rememberMessage(reading, yield* judgeMessage(reading, input, { userId, share: 1 }), { number, userId, timestamp, share: 1 })
    yield* settled(state)
    unhold(work, input.id)
    yield
  }
  // No answer follows to the admitted inputs. The message that waited for its answer still waits.
  if (held.length > 0) state.head = { ...state.head, openQuestionId }
  return { releasedCount: held.length, level: state.head.isolationLevel }
}
