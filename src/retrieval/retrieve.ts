/** First stage of retrieval: collects candidates and measures each one's similarity by vector and by words. */
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'
import { readTextAtOnce } from '../domain/text/reading.js'
import { dot, norm } from '../domain/similarity/vector.js'
import type { Corpus } from './corpus.js'
import { documentOf } from './holdings.js'
import type { WordMatches } from './matching.js'
import type { Measures } from './measures.js'
import { passes, queryTerms, type RetrievalQuery, type SearchOptions } from './query.js'
import { changesAskedFor } from './told-changes.js'
import type { Told } from './told.js'
import { toldInOrder } from './told-order.js'
import { toldThen } from './told-times.js'
import type { Wording } from './wording.js'

/** Fewest candidates taken by vector, and by words: three times what a context block can hold, and more hits than most queries ask for. */
export const CANDIDATES_MIN = 100
/** Candidates taken per hit asked for, if that is more. */
const CANDIDATES_PER_HIT = 2
/** Number of best candidates by vector whose neighbours become candidates too. */
const PULLING_MAX = 20
/** Number of nearest segments whose prototypes become candidates of a query that uses the cortex. */
const SEGMENTS_DRAWN = 4
/**
 * Share of the gap to its most similar neighbour by which a memory's cosine is raised: an answer often omits what its question asked about.
 * Recall@10, development half of LoCoMo: 0 .799, 0.3 .801, 0.5 .804, 0.7 .804. Vectors of meaning alone do not find an answer that says
 * nothing of its question: of 90 exchanges of a stand-in .31 without this share, .73 with it (bench:quality, factors). At 1 a memory would
 * tie with its neighbour.
 */
const NEIGHBOUR_SHARE = 0.7

/** Weight of words that tell of a change, in a query for the state that changed. */
const CHANGE_SHARE = 0.5

export interface Candidate {
  readonly entry: MemoryEntry
  readonly wording: Wording
  /** Cosine of the memory itself, -1..1; 0 without a query vector. */
  readonly ownDense: number
  /** `ownDense`, raised towards the cosine of the best neighbour. */
  readonly dense: number
  /** See WordMatches; 0 without a query text. */
  readonly lexical: number
}

export interface Candidates {
  readonly items: readonly Candidate[]
  readonly hasVector: boolean
  /** Whether any memory holds a word of the query. */
  readonly hasWords: boolean
  /** Words of the query text as they stand, in lower case. */
  readonly words: ReadonlySet<string>
  /** The terms of the word search. */
  readonly terms: ReadonlySet<string>
  /** Whether the query asks for a time of the past at which something was told, or for an order of telling. */
  readonly isOfTime: boolean
}

/**
 * Memories found by vector, by words, by time or order of telling, by telling of a change, as neighbours of those found by vector, and as
 * prototypes of near segments. In no particular order. `matches`: word scores of the terms of the query's text, of the corpus as it is,
 * which are released. Default: they are computed.
 */
export function* retrieveCandidates(corpus: Corpus, query: RetrievalQuery, matches?: WordMatches): Pieces<Candidates> {
  const { now, accept, text = '' } = query
  const options = { now, accept, limit: Math.max(CANDIDATES_MIN, query.limit * CANDIDATES_PER_HIT) }
  const vector = query.vector !== undefined && norm(query.vector) > 0 ? query.vector : null
  if (vector !== null) corpus.prepare(vector)
  const reading = query.reading ?? readTextAtOnce(text)
  const then = yield* toldThen(corpus, text, options)
  const told = then ?? (yield* toldInOrder(corpus, text, options))
  const terms = queryTerms(then === null ? reading : readTextAtOnce(then.rest))
  if (then !== null) matches?.release()
  const known = then === null ? matches : undefined
  const words = terms.size === 0 ? null : (known ?? (yield* corpus.matching(terms, now)))
  const byWords = words === null ? [] : yield* words.best(options)
  const changing = changesAskedFor({ text: query.text ?? null, terms, words: reading.tokens })
  const changes = changing === null ? NO_CHANGES : yield* changed(corpus, changing, options)
  const near = vector === null ? [] : yield* corpus.nearest(vector, options)
  const beside = near.slice(0, PULLING_MAX).flatMap(({ document }) => corpus.around(document))
  const prototypes = vector === null ? [] : drawn(corpus, query, vector)
  const found = new Set(byWords)
  const find = (documents: Iterable<number>): void => {
    for (const document of documents) found.add(document)
  }
  if (told !== null) find(told.documents)
  if (then !== null && words !== null) find(yield* words.best({ ...options, accept: (entry) => then.isIn(entry) && passes(entry, query) }))
  find(changes.keys())
  find(near.map(({ document }) => document))
  find([...beside, ...prototypes].filter((document) => passes(corpus.heldAt(document).entry, query)))
  const neighbourShare = isByVectorAlone(query) ? 0 : NEIGHBOUR_SHARE
  const items = yield* measured([...found], { corpus, now, vector, words, changes, told, neighbourShare })
  words?.release()
  return {
    items,
    hasVector: vector !== null,
    hasWords: byWords.length > 0 || changes.size > 0 || told !== null,
    words: reading.tokens,
    terms,
    isOfTime: told !== null
  }
}

const NO_CHANGES: ReadonlyMap<number, number> = new Map()

/** Documents that tell of a change, with scores relative to the best of them, because one word for a change is as good as another. */
function* changed(corpus: Corpus, words: ReadonlySet<string>, options: SearchOptions): Pieces<ReadonlyMap<number, number>> {
  const matches = yield* corpus.matching(words, options.now)
  const documents = yield* matches.best(options)
  const best = Math.max(...documents.map((document) => matches.of(document)))
  const changes = new Map(documents.map((document) => [document, matches.of(document) / best]))
  matches.release()
  return changes
}

/** A query by vector alone wants what is near the vector, not what lies beside it: neighbours raise no cosine then. */
function isByVectorAlone({ text, reading }: RetrievalQuery): boolean {
  return text === undefined && reading === undefined
}

/** Candidates measured per piece. */
const MEASURED_A_PIECE = 32

interface Measuring {
  readonly corpus: Corpus
  readonly now: number
  readonly vector: Float32Array | null
  readonly words: WordMatches | null
  /** Scores, 0..1, of documents that tell of a change of the state asked for. */
  readonly changes: ReadonlyMap<number, number>
  readonly told: Told | null
  readonly neighbourShare: number
}

function* measured(documents: readonly number[], measuring: Measuring): Pieces<Candidate[]> {
  const { corpus, now, vector } = measuring
  const measures = vector === null ? null : corpus.measuring(vector, now)
  const candidates: Candidate[] = []
  for (let from = 0; from < documents.length; from += MEASURED_A_PIECE) {
    for (const document of documents.slice(from, from + MEASURED_A_PIECE)) candidates.push(candidateOf(document, measures, measuring))
    if (candidates.length % MEASURED_A_PIECE === 0) yield
  }
  return candidates
}

function candidateOf(document: number, measures: Measures | null, { corpus, words, changes, told, neighbourShare }: Measuring): Candidate {
  const held = corpus.heldAt(document)
  const ownDense = measures?.of(document) ?? 0
  const best = measures?.around(document, ownDense) ?? 0
  const dense = ownDense + neighbourShare * (best - ownDense)
  const said = Math.max(words?.of(document) ?? 0, CHANGE_SHARE * (changes.get(document) ?? 0))
  const lexical = told === null ? said : told.relevance(said, held.entry)
  return { entry: held.entry, wording: corpus.wording(held), ownDense, dense, lexical }
}

/** Document numbers of the prototypes of the nearest segments. */
function drawn(corpus: Corpus, query: RetrievalQuery, vector: Float32Array): number[] {
  return [...(query.segments ?? [])]
    .sort((a, b) => dot(b.centroid, vector) - dot(a.centroid, vector))
    .slice(0, SEGMENTS_DRAWN)
    .flatMap((segment) => segment.representatives.flatMap((id) => corpus.held(id) ?? []))
    .map(documentOf)
}
