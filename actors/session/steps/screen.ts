import type { ControlReplies, ScreenTexts } from '../../../src/domain/commands/control-commands.js'
import { isAlive } from '../../../src/domain/expiry.js'
import { isClosedLevel } from '../../../src/domain/similarity/isolation.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { hashText } from '../record/hash.js'
import type { SessionState } from '../record/state.js'
import type { Work } from '../record/work.js'
import { actionFor, isAdmitted } from '../turn/isolate.js'

/** Returns the indexes of the texts that the session would not let pass to a model. Changes nothing, and holds nothing back. */
export function* screenTexts({ state, prepared, now }: Work, { texts }: ScreenTexts): Pieces<ControlReplies['isolation.screen']> {
  const level = state.head.isolationLevel
  if (!isClosedLevel(level)) return { level, refused: [] }
  function* passes(text: string): Pieces<boolean> {
    if (yield* isKnown(state, text, now)) return true
    const embedded = prepared.texts.get(text)
    // A text that was known at the preparation and forgotten since has no vectors: it is refused unchecked.
    return embedded !== undefined && isAdmitted(actionFor(state, embedded).action)
  }
  const refused: number[] = []
  for (const [at, text] of texts.entries()) {
    if (!(yield* passes(text))) refused.push(at)
    yield
  }
  return { level, refused }
}

/** Returns the texts that have to be embedded, each once. One text per piece. */
export function* textsToScreen(state: SessionState, { texts }: ScreenTexts, now: number): Pieces<string[]> {
  const unknown: string[] = []
  if (!isClosedLevel(state.head.isolationLevel)) return unknown
  for (const text of new Set(texts)) {
    if (!(yield* isKnown(state, text, now))) unknown.push(text)
    yield
  }
  return unknown
}

/** Whether the session has a live memory with this text: its context may bring that to the model anyway. */
function* isKnown({ corpus }: SessionState, text: string, now: number): Pieces<boolean> {
  return (yield* corpus.allByHash(hashText(text))).some(({ memory }) => memory.text === text && isAlive(memory, now))
}
