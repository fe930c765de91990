import type { ControlReplies, ScreenTexts } from '../../../src/domain/commands/control-commands.js'
import { isAlive } from '../../../src/domain/expiry.js'
import { isClosedLevel } from '../../../src/domain/isolation.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { hashText } from '../record/hash.js'
import type { SessionState } from '../record/state.js'
import type { Work } from '../record/work.js'
import { actionFor, isAdmitted } from '../turn/isolate.js'

/** Which of the texts the session would not let pass to a model. Changes nothing, and holds nothing. */
export function* screenTexts({ state, prepared, now }: Work, { texts }: ScreenTexts): Pieces<ControlReplies['isolation.screen']> {
  const level = state.head.isolationLevel
  if (!isClosedLevel(level)) return { level, refused: [] }
  const passes = (text: string): boolean => {
    if (isKnown(state, text, now)) return true
    const embedded = prepared.texts.get(text)
    // Known when it was prepared, and forgotten since: nobody has looked at it.
    return embedded !== undefined && isAdmitted(actionFor(state, embedded).action)
  }
  const refused: number[] = []
  for (const [at, text] of texts.entries()) {
    if (!passes(text)) refused.push(at)
    yield
  }
  return { level, refused }
}

/** The texts that vectors are needed for, each once. */
export function textsToScreen(state: SessionState, { texts }: ScreenTexts, now: number): string[] {
  return isClosedLevel(state.head.isolationLevel) ? [...new Set(texts)].filter((text) => !isKnown(state, text, now)) : []
}

/** What the session has let in, word for word: its context may bring it to the model anyway. */
function isKnown({ corpus }: SessionState, text: string, now: number): boolean {
  return corpus.allByHash(hashText(text)).some(({ memory }) => memory.text === text && isAlive(memory, now))
}
