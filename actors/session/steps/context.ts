import type { ContextItem, ReadContext } from '../../../src/domain/session-commands.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { similarity } from '../../../src/domain/semantic-state.js'
import { stateVector } from '../folds.js'
import { memoryVector } from '../memory-vector.js'
import type { SessionState } from '../state.js'
import { isLive, memoryView } from '../views.js'
import type { Work } from '../work.js'

/** The memories nearest to the session's current semantic state, best first; newest first while it has none. */
export function readContext({ state, now }: Work, command: ReadContext): { items: ContextItem[] } {
  const center = stateVector(state)
  const ranked = [...state.corpus.ordered()]
    .filter((entry) => isLive(entry, now))
    .map((entry) => ({ entry, relevance: center === null ? 0 : similarity(center, memoryVector(entry.memory)) }))
    .sort((a, b) => b.relevance - a.relevance || b.entry.memory.seq - a.entry.memory.seq)
    .slice(0, command.topK)
  return { items: ranked.map((hit, at) => item(state, hit, command.fullFirst && at === 0 ? Infinity : command.maxTextChars)) }
}

function item(state: SessionState, hit: { entry: MemoryEntry; relevance: number }, charsMax: number): ContextItem {
  const { userId: _, ...view } = memoryView(state, hit.entry)
  const text = truncated(view.text, charsMax)
  return { ...view, text, truncated: text !== view.text, relevance: hit.relevance }
}

/** At most `charsMax` characters; a pair of surrogates is one and is never split. */
function truncated(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const characters = [...text]
  return characters.length <= charsMax ? text : characters.slice(0, charsMax).join('')
}
