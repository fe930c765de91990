import type { MemoryEntry } from '../../../src/domain/session.js'
import { type ContextLine, contextLines } from '../../../src/retrieval/context-lines.js'
import { partSimilarity } from '../../../src/retrieval/corpus.js'
import type { Hit } from '../../../src/retrieval/query.js'
import { pinnedEntries } from '../record/pinned.js'
import type { Work } from '../record/work.js'

/**
 * Adds the lines of the pinned memories, which are in every context block regardless of the message: the most relevant first, by retrieval
 * score, else by cosine. A line that shows a pinned memory again is dropped.
 */
export function withPinned(
  { state, now }: Pick<Work, 'state' | 'now'>,
  lines: readonly ContextLine[],
  { hits, vector }: { readonly hits: readonly Hit[]; readonly vector: Float32Array }
): { readonly lines: readonly ContextLine[]; readonly pinned?: readonly ContextLine[] } {
  if (state.pinned.size === 0) return { lines }
  const scores = new Map(hits.map(({ entry, score }) => [entry.memory.id, score]))
  const scoreOf = ({ memory }: MemoryEntry): number => scores.get(memory.id) ?? Math.max(0, Math.min(1, partSimilarity(memory, vector)))
  const first = pinnedEntries(state)
    .map((entry) => ({ entry, score: scoreOf(entry) }))
    .sort((a, b) => b.score - a.score || a.entry.memory.seq - b.entry.memory.seq)
  const pinned = contextLines(state.corpus, first, { now, vector, relevanceMin: 0 })
  const shown = new Set(pinned.flatMap(({ memories }) => memories.map(({ memory }) => memory.id)))
  return { lines: lines.filter(({ memories }) => !memories.some(({ memory }) => shown.has(memory.id))), pinned }
}
