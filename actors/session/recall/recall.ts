/** Recall for a message: hits, entities, and the context block made of them. */
import { oneMore } from '../../../src/domain/counting.js'
import { SEARCH_TOP_K_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Entity, MemoryEntry } from '../../../src/domain/session.js'
import { knowAlike, rankEntities } from '../../../src/domain/words/entity-search.js'
import { contextBlock } from '../../../src/retrieval/context-block.js'
import { type ContextLine, type ContextLineOptions, contextLines } from '../../../src/retrieval/context-lines.js'
import type { WordMatches } from '../../../src/retrieval/matching.js'
import { retrieve } from '../../../src/retrieval/pipeline.js'
import { type Hit, queryTerms, type Retrieval, type RetrievalQuery } from '../../../src/retrieval/query.js'
import { traceActor } from '../../behaviour/trace.js'
import { putStats } from '../record/entries.js'
import { hashText } from '../record/hash.js'
import { ENTITY } from '../record/head.js'
import { liveCount } from '../record/views.js'
import { readingOf, tokensOf, type Work } from '../record/work.js'
import { tellFailure } from './failure.js'
import { withPinned } from './pinned-lines.js'
import { sessionQuery } from './query.js'

/**
 * Tokens of the block per competing hit: half of what a turn of a long conversation takes, so that more hits compete than fit. With twelve
 * hits regardless of the budget, a block of 2,000 tokens held hardly more evidence than one of 1,000 (docs/quality.md, Retrieval).
 */
const TOKENS_PER_HIT = 25
const HITS_MIN = 12

const ENTITIES_MAX = 5

/** Least share of the message's words that an entity has to have. Below it, they share no more than a common word. */
const ENTITY_OVERLAP_MIN = 0.2

/** Upper bound on the characters of a token: an entity that exceeds the budget by this measure is not tokenised at all. */
const CHARS_PER_TOKEN_MAX = 32

interface Recalled {
  /** Context block; empty when retrieval failed. */
  readonly context: string
  readonly isFaulty: boolean
  readonly memories: readonly MemoryEntry[]
  readonly entities: readonly Entity[]
}

interface Message {
  readonly text: string
  readonly vector: Float32Array
  /** What `beginRecall` returned, if no memory has changed since. Default: nothing. */
  readonly matches?: WordMatches | undefined
  /** Known answer to the message, which comes first; null if there is none. */
  readonly answer: MemoryEntry | null
}

/**
 * Searches by the words of a message, for `recall`. It comes before the message is judged by its vector: a long search by vector begins in
 * the background meanwhile. Undefined where there are no words, or after a fault: `recall` meets it again.
 */
export function* beginRecall(
  { state, prepared, now }: Work,
  { text, vector }: Pick<Message, 'text' | 'vector'>
): Pieces<WordMatches | undefined> {
  state.corpus.prepare(vector)
  const terms = queryTerms(readingOf({ prepared }, text))
  try {
    return terms.size === 0 ? undefined : yield* state.corpus.matching(terms, now)
  } catch {
    return undefined
  }
}

/** Retrieves for a message. A fault in any stage costs the context block, never the turn. Changes nothing. */
export function* recall(work: Work, message: Message & { readonly turn: number }): Pieces<Recalled> {
  const { state, services, now } = work
  try {
    const { lines, hits, terms } = yield* linesFor(work, message, services.tracer.isEnabled ? watchTurn(work, message.turn) : undefined)
    const entities = yield* matchingEntities(work, message.text)
    const startedMs = services.monotonicMs()
    const block = contextBlock({
      phase: state.head.phase,
      turn: message.turn,
      totalMemories: liveCount(state, now),
      entities,
      terms,
      budgetTokens: services.contextTokensMax,
      countTokens: (text) => tokensOf(work, text),
      ...withPinned(work, withShared(work, lines, message.turn), { hits, vector: message.vector })
    })
    traceBlock(work, { hits, turn: message.turn, durationMs: services.monotonicMs() - startedMs, candidates: block.memories.length })
    return { context: block.text, isFaulty: false, memories: block.memories, entities: block.entities }
  } catch (error) {
    tellFailure(work, error, message.turn)
    return { context: '', isFaulty: true, memories: [], entities: [] }
  }
}

// Interface, Run response: `retrieval_error` with an empty context, even where a search by words would have found something.
/** Result for a message without a vector. Changes nothing. */
export function recallNothing({ state, services }: Work, turn: number): Recalled {
  traceActor(services.tracer, 'retrieve.failed', state.address, { turn, error: 'embedder_unavailable' })
  return { context: '', isFaulty: true, memories: [], entities: [] }
}

/** Returns the context lines of the session's own memories for a text, best first. */
export function* linesFor(
  work: Work,
  { text, vector, matches, answer }: Message,
  watch?: RetrievalQuery['watch']
): Pieces<Retrieval & { readonly lines: readonly ContextLine[]; readonly terms: ReadonlySet<string> }> {
  const { state, now } = work
  const reading = readingOf(work, text)
  const asked = { text, reading, vector, limit: hitsFor(work), ...(watch !== undefined && { watch }) }
  const found = yield* retrieve(state.corpus, yield* sessionQuery(work, asked), matches)
  const terms = queryTerms(reading)
  const shown = { now, vector, terms }
  return { terms, lines: answerFirst(work, contextLines(state.corpus, found.hits, shown), { answer, shown }), ...found }
}

/** Puts the line of the known answer first: the newest answer to a repeated question is not always the most relevant one. */
function answerFirst(
  { state }: Work,
  lines: readonly ContextLine[],
  { answer, shown }: { readonly answer: MemoryEntry | null; readonly shown: ContextLineOptions }
): readonly ContextLine[] {
  const isOf = ({ memories }: ContextLine): boolean => memories.some(({ memory }) => memory.id === answer?.memory.id)
  if (answer === null || lines[0] === undefined || isOf(lines[0])) return lines
  const first = contextLines(state.corpus, [{ entry: answer, score: lines[0].score }], shown)
  return [...first, ...lines.filter((line) => !isOf(line))].slice(0, lines.length)
}

/**
 * Merges own lines with those of the clusters, best first. Where the session holds all memories of a line itself, its own line is used;
 * where it holds a question and a cluster its answer, the cluster's. Lines of clusters do not count as own memories, and are not touched.
 */
function withShared(work: Work, own: readonly ContextLine[], turn: number): readonly ContextLine[] {
  const { state, services, prepared } = work
  const shared: { readonly line: ContextLine; readonly hashes: ReadonlySet<string> }[] = []
  const shown = new Set<string>()
  for (const { membership, isAnswered, hits } of prepared.shared) {
    const added = hits.filter(({ hashes }) => hashes.some((hash) => !state.corpus.holdsHash(hash) && !shown.has(hash)))
    for (const { hashes, ...line } of added) {
      shared.push({ line: { memories: [], ...line }, hashes: new Set(hashes) })
      for (const hash of hashes) shown.add(hash)
    }
    traceActor(services.tracer, 'retrieval.shared', state.address, {
      turn,
      clusterId: membership.clusterId,
      isAnswered,
      hits: added.map(({ hashes, score }) => ({ memoryHashes: hashes, score }))
    })
  }
  if (shared.length === 0) return own
  const isCovered = ({ memories }: ContextLine): boolean =>
    shared.some(({ hashes }) => memories.every(({ memory }) => hashes.has(memory.hash)))
  const lines = [...own.filter((line) => !isCovered(line)), ...shared.map(({ line }) => line)]
  return lines.sort((a, b) => b.score - a.score).slice(0, hitsFor(work))
}

function hitsFor({ services }: Work): number {
  return Math.max(HITS_MIN, Math.min(SEARCH_TOP_K_MAX, Math.ceil(services.contextTokensMax / TOKENS_PER_HIT)))
}

/** Counts an access to memories and entities that were shown. */
export function touch(work: Work, { memories, entities }: Pick<Recalled, 'memories' | 'entities'>): void {
  const { state, journal, now } = work
  for (const { memory, stats } of memories) {
    putStats(work, { memory, stats: { ...stats, accessCount: oneMore(stats.accessCount), accessedAt: now } })
  }
  for (const entity of entities) {
    const touched = { ...entity, accessCount: oneMore(entity.accessCount) }
    knowAlike(touched, entity)
    state.literals.put(touched)
    journal.put(ENTITY, hashText(entity.key), touched)
  }
}

function* matchingEntities(work: Work, text: string): Pieces<Entity[]> {
  const { state, services } = work
  const charsMax = services.contextTokensMax * CHARS_PER_TOKEN_MAX
  const ranked = yield* rankEntities(text, state.literals.all(), readingOf(work, text))
  return ranked
    .filter(({ entity, overlap }) => overlap >= ENTITY_OVERLAP_MIN && entity.value.length <= charsMax)
    .slice(0, ENTITIES_MAX)
    .map(({ entity }) => entity)
}

/** Traces each stage of a turn's retrieval. */
function watchTurn({ state, services }: Work, turn: number): NonNullable<RetrievalQuery['watch']> {
  return (stage, leading) => traceActor(services.tracer, stage.stage, state.address, { ...stage, leading, turn })
}

function traceBlock(
  { state, services }: Work,
  block: { hits: readonly Hit[]; turn: number; durationMs: number; candidates: number }
): void {
  if (!services.tracer.isEnabled) return
  const { hits, turn, durationMs, candidates } = block
  traceActor(services.tracer, 'serialize', state.address, { stage: 'serialize', durationMs, candidates, turn })
  const shown = hits.map(({ entry, score, components }) => ({ memoryHash: entry.memory.hash, score, components }))
  traceActor(services.tracer, 'retrieval.ranked', state.address, { turn, hits: shown })
}
