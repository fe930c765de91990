import { oneMore } from '../../../src/domain/counting.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { firedTriggers } from '../../../src/domain/words/triggers.js'
import { traceActor } from '../../behaviour/trace.js'
import { similarityScale } from '../recall/scale.js'
import { TRIGGER } from '../record/head.js'
import { memoryVector } from '../record/memory-vector.js'
import type { EmbeddedText, Work } from '../record/work.js'

/** Fires and counts the triggers that match the text. Returns whether any did. */
export function* fire({ state, journal, services }: Work, text: EmbeddedText, turn: number): Pieces<boolean> {
  if (state.triggers.size === 0) return false
  const fired = yield* firedTriggers(
    { text: text.text, vector: memoryVector(text), scale: similarityScale(state) },
    state.triggers.values()
  )
  for (const trigger of fired) {
    const counted = { ...trigger, firedCount: oneMore(trigger.firedCount), firedTurn: turn }
    state.triggers.set(trigger.id, counted)
    journal.put(TRIGGER, trigger.id, counted)
    traceActor(services.tracer, 'trigger.fired', state.address, { triggerId: trigger.id, keyword: trigger.keyword, turn })
  }
  return fired.length > 0
}
