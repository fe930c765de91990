/** Third stage: weighs the candidates by other factors than relevance. */
import { countBelow } from '../domain/collections/ascending.js'
import { createBestOf } from '../domain/collections/best-of.js'
import { TRIGGERED_IMPORTANCE } from '../domain/words/importance.js'
import { floorOf } from '../domain/collections/floor.js'
import { createPace, isPauseDue, type Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'
import { partSimilarity } from './corpus.js'
import { diversified, isBehind, PRODUCTS_A_PIECE, type Ranked, THINNED_MAX } from './diversity.js'
import type { Fused } from './fuse.js'
import type { Hit, RetrievalQuery, ScoreComponents, Steering } from './query.js'
import type { Candidate } from './retrieve.js'
import { createSupersession, SUPERSESSION_LOOKED_MAX, type SupersessionOptions } from './supersession.js'

/**
 * Gain of the newest leading candidate over the oldest: enough to decide between texts that say the same. Based on ranks, not days, so that
 * a session of years and one of weeks behave alike. Recall@5 and @10, development half of LoCoMo, are the same within .002 for 0 to 0.05.
 */
const RECENCY_SHARE = 0.02
/** Share of the best score from which a candidate counts as leading. */
const LEADING_SHARE = 0.5
/** Factor by which a newer text is put ahead of the older one that it supersedes. */
const SUPERSEDING_LEAD = 1.001
/**
 * Effect of importance: a marked memory comes before a plain one on the same matter if the query does not decide between them
 * (bench:quality, factors: .33 of 24 without it, all with it). Recall@10, development half of LoCoMo, is the same within .003 for 0 to 1.8.
 */
const IMPORTANCE_SHARE = 0.6
/** Importance with factor 1: the middle of a plain turn's 0.3 to 0.9. */
const IMPORTANCE_NEUTRAL = 0.6
/** Loss of a text that only asks, which is rarely evidence. Recall@10, development half of LoCoMo: 0 .787, 0.5 .804, 0.6 .807. */
const QUESTION_SHARE = 0.5
/** Gain of a text whose speaker the query names. Recall@5 and @10, development half of LoCoMo: 0 .715, .790; 0.2 .725, .804. */
const SPEAKER_SHARE = 0.2
/** Gain or loss that a policy vector of weight 1 gives a memory with the same vector. */
const POLICY_SHARE = 0.5
/** Gain of a memory whose vector equals an anchor. */
const ANCHOR_SHARE = 0.1

export interface RerankOptions extends Pick<SupersessionOptions, 'termsOf' | 'isNext'> {
  /** Words of the query as they stand. */
  readonly words: ReadonlySet<string>
  /** Terms of the query. */
  readonly asked: ReadonlySet<string>
  /** Whether the query asks for what was told at some time or in some order; what was told later then supersedes nothing. */
  readonly isOfTime: boolean
}

/** Candidates judged per piece. */
const JUDGED_A_PIECE = 32

/** At most `query.limit` hits, best first; ties newest first. */
export function* rerank(fused: Fused, query: RetrievalQuery, { words, asked, isOfTime, ...reading }: RerankOptions): Pieces<Hit[]> {
  const { items, relevance } = fused
  const steerings: Steering[] = []
  const scores = new Float64Array(items.length)
  const isSteered = (query.policyVectors ?? []).length > 0 || (query.anchors ?? []).length > 0
  for (let at = 0; at < items.length; at++) {
    if ((at + 1) % JUDGED_A_PIECE === 0) yield
    const candidate = items[at] as Candidate
    const steering = isSteered ? yield* steeringOf(candidate.entry, query) : NOT_STEERED
    steerings.push(steering)
    scores[at] = scoreOf(relevance[at] as number, factorsOf(candidate, words, steering))
  }
  const recencyOf = createRecency(items, scores)
  const count = Math.max(SUPERSESSION_LOOKED_MAX, query.limit + THINNED_MAX)
  // Candidates that recency cannot lift among the first `count` are dropped.
  const floor = floorOf(scores, scores.length, count) / (1 + RECENCY_SHARE)
  for (let at = 0; at < items.length; at++) {
    const score = scores[at] as number
    scores[at] = score < floor ? 0 : score * recencyOf(items[at] as Candidate)
  }
  const leading = leadingOf(items, scores, count).map((at): Ranked => {
    const candidate = items[at] as Candidate
    return {
      candidate,
      fused: relevance[at] as number,
      steering: steerings[at] as Steering,
      recency: recencyOf(candidate),
      score: scores[at] as number,
      supersession: 1,
      supersededBy: null,
      diversity: 1,
      compared: 0,
      tail: null
    }
  })
  yield
  const question = { text: query.text ?? null, terms: asked, words }
  if (!isOfTime && supersede(lookedAt(leading), { asked: question, ...reading })) leading.sort(isBehind)
  return (yield* diversified(leading, query)).map((one) => toHit(one, fused, words))
}

/** Indexes of the best, best first. Most of hundreds of candidates cannot become hits, and get no object. */
function leadingOf(items: readonly Candidate[], scores: Float64Array, count: number): number[] {
  const scoreAt = (at: number): number => scores[at] as number
  const seqAt = (at: number): number => (items[at] as Candidate).entry.memory.seq
  const leading = createBestOf<number>(count, (a, b) => (scoreAt(b) - scoreAt(a) || seqAt(b) - seqAt(a)) > 0)
  for (let at = 0; at < items.length; at++) if (scoreAt(at) > 0) leading.offer(at)
  return leading.sorted()
}

type Factors = Pick<ScoreComponents, 'importance' | 'question' | 'speaker' | 'policy' | 'anchor'>

const NOT_STEERED: Steering = { policy: 1, anchor: 1 }

function* steeringOf(entry: MemoryEntry, query: RetrievalQuery): Pieces<Steering> {
  const known = query.steerings?.get(entry)
  if (known !== undefined) return known
  const steering = {
    policy: yield* policyFactor(entry, query),
    anchor: 1 + ANCHOR_SHARE * Math.max(0, ...(yield* similarities(entry, query.anchors ?? [])))
  }
  query.steerings?.set(entry, steering)
  return steering
}

function scoreOf(relevance: number, { importance, question, speaker, policy, anchor }: Factors): number {
  return relevance * importance * question * speaker * policy * anchor
}

function factorsOf({ entry: { stats }, wording, ownDense }: Candidate, words: ReadonlySet<string>, { policy, anchor }: Steering): Factors {
  const importance = stats.importance / (stats.importance + IMPORTANCE_NEUTRAL)
  const { questionShare, speaker } = wording
  return {
    importance: 1 + IMPORTANCE_SHARE * (importance - 0.5),
    // A question that equals the query was searched for and loses nothing.
    question: 1 - QUESTION_SHARE * questionShare * (1 - Math.max(0, ownDense)),
    speaker: speaker?.every((name) => words.has(name)) === true ? 1 + SPEAKER_SHARE : 1,
    policy,
    anchor
  }
}

/** Recency factor of a candidate by its age rank among the leading ones; equal times share a rank. */
function createRecency(items: readonly Candidate[], scores: Float64Array): (candidate: Candidate) => number {
  let best = 0
  for (const score of scores) if (score > best) best = score
  const times = new Float64Array(items.length)
  let leading = 0
  for (let at = 0; at < items.length; at++) {
    const score = scores[at] as number
    if (score >= LEADING_SHARE * best) times[leading++] = (items[at] as Candidate).entry.memory.timestamp
  }
  const ascending = times.subarray(0, leading).sort()
  return ({ entry }) => {
    const older = countBelow(ascending, entry.memory.timestamp)
    return 1 + RECENCY_SHARE * Math.min(1, older / Math.max(1, leading - 1))
  }
}

/** Memories on which a trigger fired, or which a client set that high: only marked memories may be put ahead of them. */
function isMarked({ candidate }: Ranked): boolean {
  return candidate.entry.stats.importance >= TRIGGERED_IMPORTANCE
}

/** The best candidates, and the best of the others that themselves say that something changed: these need not resemble the query. */
function lookedAt(leading: readonly Ranked[]): Ranked[] {
  const changes = leading.slice(SUPERSESSION_LOOKED_MAX).filter(({ candidate }) => candidate.wording.change !== null)
  return [...leading.slice(0, SUPERSESSION_LOOKED_MAX), ...changes.slice(0, SUPERSESSION_LOOKED_MAX)]
}

/** Puts newer memories ahead of those that they supersede; both stay. Returns whether any score changed. */
function supersede(looked: readonly Ranked[], options: SupersessionOptions): boolean {
  const timeOf = ({ candidate }: Ranked): number => candidate.entry.memory.timestamp
  let isChanged = false
  const oldestFirst = looked.toSorted((a, b) => timeOf(a) - timeOf(b))
  const supersedes = createSupersession(
    oldestFirst.map(({ candidate }) => candidate),
    options
  )
  for (let at = 1; at < oldestFirst.length; at++) {
    const newer = oldestFirst[at] as Ranked
    for (let before = 0; before < at; before++) {
      const older = oldestFirst[before] as Ranked
      const share = supersedes(at, before)
      if (share === null || newer.score < share * older.score) continue
      older.supersededBy = newer
      if (newer.score > older.score || (isMarked(older) && !isMarked(newer))) continue
      const lead = (SUPERSEDING_LEAD * older.score) / newer.score
      newer.supersession *= lead
      newer.score *= lead
      isChanged = true
    }
  }
  return isChanged
}

function* policyFactor(entry: MemoryEntry, query: RetrievalQuery): Pieces<number> {
  const policies = query.policyVectors ?? []
  const found = yield* similarities(
    entry,
    policies.map(({ embedding }) => embedding)
  )
  let factor = 1
  for (const [at, { weight, promote }] of policies.entries()) {
    factor += (promote ? 1 : -1) * POLICY_SHARE * weight * Math.max(0, found[at] ?? 0)
  }
  return Math.max(0, factor)
}

/** Similarities of the memory to each vector. */
function* similarities({ memory }: MemoryEntry, vectors: readonly Float32Array[]): Pieces<number[]> {
  const found: number[] = []
  const pace = createPace()
  for (const vector of vectors) {
    found.push(partSimilarity(memory, vector))
    if (isPauseDue(pace, memory.partEnds.length / PRODUCTS_A_PIECE)) yield
  }
  return found
}

function toHit(ranked: Ranked, { blend, ground }: Fused, words: ReadonlySet<string>): Hit {
  const { candidate, fused, steering, recency, score, supersession, supersededBy, diversity } = ranked
  const { entry, dense, lexical } = candidate
  const factors = factorsOf(candidate, words, steering)
  return {
    entry,
    score: Math.min(1, score * diversity),
    components: { dense, ground, blend, lexical, fused, recency, supersession, diversity, ...factors },
    supersededBy: supersededBy?.candidate.entry.memory.hash ?? null
  }
}
