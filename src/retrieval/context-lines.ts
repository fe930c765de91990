/** Lines of the context block, one per hit: an exchange, or a text alone. */
import type { Memory, MemoryEntry } from '../domain/session.js'
import { dot } from '../domain/similarity/vector.js'
import type { Corpus } from './corpus.js'
import { EXCERPT_READ_MAX } from './excerpt.js'
import { type Hit, passes, type SearchFilter } from './query.js'

export interface ContextLine {
  /** Relevance, 0..1. */
  readonly score: number
  readonly question: string | null
  /** The answer, or a text without a question. */
  readonly text: string
  /** The half that is the better hit; it is never cut in favour of the other. Default: the answer. */
  readonly found?: 'question' | 'answer'
  /** Relevance of the other half, if that is a hit too. It is added only where room is left. */
  readonly otherScore?: number
  /** Memories shown in the line, the hit first. */
  readonly memories: readonly MemoryEntry[]
}

/** The filter is on the other halves. */
export interface ContextLineOptions extends SearchFilter {
  /** Selects the part of a long memory. Default: its first part. */
  readonly vector?: Float32Array
  /** Content terms of the query, which also select the part. Default: none. */
  readonly terms?: ReadonlySet<string>
  /** Hits of lower relevance are left out. Default: RELEVANCE_MIN. */
  readonly relevanceMin?: number
}

/** Relevance below which a hit is noise: unrelated texts reach 0.1 with vectors of a few hundred dimensions. */
export const RELEVANCE_MIN = 0.1

/** One line per hit, best first; two hits of one exchange share a line. */
export function contextLines(corpus: Corpus, hits: readonly Pick<Hit, 'entry' | 'score'>[], options: ContextLineOptions): ContextLine[] {
  const scored = { scores: new Map(hits.map((hit) => [hit.entry.memory.id, hit.score])), ...options }
  const shown = new Set<string>()
  const lines: ContextLine[] = []
  for (const { entry, score } of hits) {
    if (score < (options.relevanceMin ?? RELEVANCE_MIN) || shown.has(entry.memory.id)) continue
    const line = lineOf(corpus, { entry, score }, scored)
    for (const { memory } of line.memories) shown.add(memory.id)
    lines.push(line)
  }
  return lines
}

interface LineOptions extends ContextLineOptions {
  readonly scores: ReadonlyMap<string, number>
}

function lineOf(corpus: Corpus, { entry, score }: Pick<Hit, 'entry' | 'score'>, options: LineOptions): ContextLine {
  const isShown = (other: MemoryEntry): boolean => passes(other, options)
  const answer = best(corpus.answersOf(entry.memory.id).filter(isShown), options.scores)
  const question = answer === null ? best(corpus.questionsOf(entry.memory.id).filter(isShown), options.scores) : entry
  const other = answer ?? (question === entry ? null : question)
  const otherScore = other === null ? undefined : options.scores.get(other.memory.id)
  const excerpt = ({ memory }: MemoryEntry): string => excerptOf(memory, options)
  return {
    score,
    question: question === null ? null : excerpt(question),
    text: excerpt(answer ?? entry),
    ...(answer !== null && { found: 'question' as const }),
    ...(otherScore !== undefined && { otherScore }),
    memories: [entry, ...(answer !== null ? [answer] : []), ...(question !== null && question !== entry ? [question] : [])]
  }
}

/** The most relevant of several halves; the newest of equals. */
function best(entries: readonly MemoryEntry[], scores: ReadonlyMap<string, number>): MemoryEntry | null {
  let found: MemoryEntry | null = null
  for (const entry of entries) {
    const isBetter = found === null || (scores.get(entry.memory.id) ?? 0) >= (scores.get(found.memory.id) ?? 0)
    if (isBetter) found = entry
  }
  return found
}

/**
 * Excerpt of a long memory: the part nearest to the query with most of its terms. The whole text if other parts hold further terms, unless
 * it is longer than EXCERPT_READ_MAX; the block then selects sentences from it.
 */
function excerptOf({ text, partEnds, vectors }: Memory, { vector, terms = new Set() }: ContextLineOptions): string {
  if (partEnds.length < 2 || vector === undefined) return text
  const looked = [...terms].slice(0, TERMS_LOOKED_MAX)
  const all = new Set<string>()
  let said = { text: '', held: 0, closeness: -Infinity }
  for (const [part, end] of partEnds.entries()) {
    const one = text.slice(part === 0 ? 0 : partEnds[part - 1], end)
    const lower = one.toLowerCase()
    const held = looked.filter((term) => lower.includes(term))
    for (const term of held) all.add(term)
    const closeness = dot(vectors, vector, part * vector.length) + held.length / Math.max(1, looked.length)
    if (closeness > said.closeness) said = { text: one, held: held.length, closeness }
  }
  return said.held < all.size && text.length <= EXCERPT_READ_MAX ? text : said.text
}

/** Number of query terms, the first ones, looked for in each part of a memory. */
const TERMS_LOOKED_MAX = 32
