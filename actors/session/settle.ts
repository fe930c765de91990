/** Work of a session before its next step, in pieces: index updates, and the isolation shares of a bulk command's texts. */
import type { SessionCommand } from '../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { readEntity } from '../../src/domain/words/entity-search.js'
import { definitionOf } from './commands.js'
import type { SessionState } from './record/state.js'
import type { Prepared } from './record/work.js'
import { isolatedShareOf } from './turn/isolate.js'

/** Returns the work before the step of `next`; null if there is none. */
export function settle(
  state: SessionState,
  next: { readonly command: SessionCommand; readonly prepared: Prepared } | null
): Pieces<void> | null {
  const indexing = state.corpus.settle()
  const isBulk = next !== null && definitionOf(next.command).isBulk === true
  const weighing = isBulk && isWeighed(state, next.prepared) ? weighTexts(state, next.prepared) : null
  const reading = state.unread.size > 0 ? readEntities(state) : null
  const all = [indexing, reading, weighing].filter((pieces) => pieces !== null)
  return all.length === 0 ? null : inOrder(all)
}

/** Reads the words of unread entities. Skips those that were replaced meanwhile. */
function* readEntities({ unread, literals }: SessionState): Pieces<void> {
  for (const entity of unread) {
    if (literals.get(entity.key) === entity) yield* readEntity(entity)
    unread.delete(entity)
    yield
  }
}

function* inOrder(all: readonly Pieces<void>[]): Pieces<void> {
  for (const pieces of all) yield* pieces
}

/** Whether the texts have yet to be compared with the isolation vectors. */
function isWeighed({ head }: SessionState, { shares, texts }: Prepared): boolean {
  return head.isolationLevel === 'FILTER' && shares.size < texts.size
}

function* weighTexts(state: SessionState, { texts, shares }: Prepared): Pieces<void> {
  for (const text of texts.values()) {
    shares.set(text.text, isolatedShareOf(state, text))
    yield
  }
}
