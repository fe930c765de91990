import type { ContextItem, ReadContext } from '../../../src/domain/commands/session-commands.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { beginningOf } from '../../../src/domain/text/characters.js'
import type { SimilarEntry } from '../../../src/retrieval/nearest.js'
import { similarityScale } from '../recall/scale.js'
import { mostSimilar, type Neighbours } from '../recall/similar.js'
import type { SessionState } from '../record/state.js'
import { memoryView } from '../record/views.js'
import type { Work } from '../record/work.js'
import { stateVector } from '../semantic-state/folds.js'

/** Returns the memories nearest to the session's semantic state, nearest first; while it has no state, the newest ones. */
export function* readContext({ state, now }: Work, command: ReadContext): Pieces<{ items: ContextItem[] }> {
  const center = stateVector(state)
  const ranked = center === null ? newest(state, now, command.topK) : yield* take(yield* mostSimilar(state, center, { now }), command.topK)
  return { items: ranked.map((hit, at) => item(state, hit, command.fullFirst && at === 0 ? Infinity : command.maxTextChars)) }
}

function newest(state: SessionState, now: number, limit: number): SimilarEntry[] {
  const found: SimilarEntry[] = []
  for (const entry of state.corpus.backward()) {
    if (found.length >= limit) break
    if (isAlive(entry.memory, now)) found.push({ entry, similarity: 0 })
  }
  return found
}

function* take(hits: Neighbours, limit: number): Pieces<SimilarEntry[]> {
  const taken: SimilarEntry[] = []
  for (const hit of hits) {
    if (hit === null) yield
    else if (taken.push(hit) >= limit) break
  }
  return taken
}

function item(state: SessionState, hit: SimilarEntry, charsMax: number): ContextItem {
  const { userId: _, text, ...view } = memoryView(state, hit.entry)
  const shown = beginningOf(text, charsMax)
  return { text: shown, truncated: shown !== text, relevance: similarityScale(state)(hit.similarity), ...view }
}
