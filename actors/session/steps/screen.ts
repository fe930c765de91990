import type { ControlReplies, ScreenTexts } from '../../../src/domain/commands/control-commands.js'
import { isAlive } from '../../../src/domain/expiry.js'
import { isClosedLevel } from '../../../src/domain/isolation.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { hashText } from '../record/hash.js'
import type { SessionState } from '../record/state.js'
import type { Work } from '../record/work.js'
import { actionFor, isAdmitted } from '../turn/isolate.js'

/** Returns the indexes of the texts that the session would not let pass to a model. Changes nothing, and holds nothing back. */
export function* screenTexts({ state, prepared, now }: Work, { texts }: ScreenTexts): Pieces<ControlReplies['isolation.screen']> {
  const level = state.head.isolationLevel
  if (!isClosedLevel(level)) return { level, refused: [] }
  const passes = (text: string): boolean => {
    if (isKnown(state, text, now)) return true
    const embedded = prepared.texts.get(text)
    // A text that was known at the preparation and forgotten since has no vectors: it is refused unchecked.
    return embedded !== undefined && isAdmitted(actionFor(state, embedded).action)
  }
  const refused: number[] = []
  for (const [at, text] of texts.entries()) {
    if (!passes(text)) refused.push(at)
    yield
  }
  return { level, refused }
}

/** Returns the texts that have to be embedded, each once. */
export function textsToScreen(state: SessionState, { texts }: ScreenTexts, now: number): string[] {
  return isClosedLevel(state.head.isolationLevel) ? [...new Set(texts)].filter((text) => !isKnown(state, text, now)) : []
}

/** Whether the session has a live memory with this text: its context may bring that to the model anyway. */
function isKnown({ corpus }: SessionState, text: string, now: number): boolean {
  return corpus.allByHash(hashText(text)).some(({ memory }) => memory.text === text && isAlive(memory, now))
}
