/** Exact scores of candidates: each factor, supersession by newer memories, and repetitions. */
import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import type { Memory, MemoryStats } from '../../src/domain/session.js'
import { TRIGGERED_IMPORTANCE } from '../../src/domain/words/importance.js'
import type { Hit, RetrievalQuery } from '../../src/retrieval/query.js'
import { rerank, type RerankOptions } from '../../src/retrieval/rerank.js'
import type { Candidate } from '../../src/retrieval/retrieve.js'
import type { Wording } from '../../src/retrieval/wording.js'
import { memoryEntry, NOON } from '../support/memories.js'

const SIZE = 8

/** A unit vector orthogonal to those of other axes, apart from the given `cosine` to the first axis. */
function unit(axis: number, cosine = 0): Float32Array {
  const vector = new Float32Array(SIZE)
  vector[0] = cosine
  vector[axis] = axis === 0 ? 1 : Math.sqrt(1 - cosine ** 2)
  return vector
}

interface Given extends Partial<Pick<Memory, 'timestamp' | 'vectors' | 'partEnds' | 'role'>> {
  readonly fused?: number
  readonly ownDense?: number
  readonly stats?: Partial<MemoryStats>
  readonly wording?: Partial<Wording>
}

interface FusedCandidate extends Candidate {
  readonly fused: number
}

const PLAIN: Wording = { questionShare: 0, speaker: null, change: null }

/** Candidate `seq`, with a direction and a segment of its own. */
function candidate(seq: number, { fused = 0.5, ownDense = 0, stats = {}, wording = {}, ...memory }: Given = {}): FusedCandidate {
  const entry = memoryEntry(seq, `text ${String(seq)}`, { vectors: unit(seq % SIZE), ...memory }, { segment: seq, ...stats })
  return { entry, wording: { ...PLAIN, ...wording }, ownDense, dense: ownDense, lexical: fused, fused }
}

function pieces(candidates: readonly FusedCandidate[], query: Partial<RetrievalQuery> = {}, own: Partial<RerankOptions> = {}) {
  const asked = { now: NOON, limit: 10, monotonicMs: () => 0, ...query }
  const relevance = candidates.map(({ fused }) => fused)
  return rerank({ items: candidates, relevance, blend: 0, ground: 0 }, asked, {
    words: new Set(),
    asked: new Set(),
    isOfTime: false,
    termsOf: () => [],
    isNext: () => false,
    ...own
  })
}

const ranked = (...given: Parameters<typeof pieces>): Hit[] => inOneGo(pieces(...given))
const seqs = (hits: readonly Hit[]): number[] => hits.map(({ entry }) => entry.memory.seq)
/** Rounds to nine digits. */
const rounded = (value: number): number => Number(value.toFixed(9))

function only(given: Given, query: Partial<RetrievalQuery> = {}, own: Partial<RerankOptions> = {}): Hit {
  const [hit] = ranked([candidate(1, given)], query, own)
  if (hit === undefined) throw new Error('no hit')
  return hit
}

t.test('importance moves a score by its share, and a middle one does not', async (t) => {
  for (const [importance, factor] of [
    [0, 0.7],
    [0.6, 1],
    [1.8, 1.15]
  ] as const) {
    const { score, components } = only({ stats: { importance } })
    t.equal(rounded(components.importance), factor)
    t.equal(rounded(score), rounded(0.5 * factor))
  }
})

t.test('a text that only asks loses half of its score, unless it is the query itself', async (t) => {
  const asking = (questionShare: number, ownDense = 0) => only({ ownDense, wording: { questionShare } }).score
  t.equal(asking(1), 0.25)
  t.equal(asking(0.5), 0.375)
  t.equal(asking(1, 0.5), 0.375)
  t.equal(asking(1, 1), 0.5)
  t.equal(asking(1, -1), 0.25, 'the opposite of the query is no further off')
})

t.test('a text gains when the query names its speaker in full', async (t) => {
  const said = (words: readonly string[], speaker: readonly string[] | null) =>
    only({ wording: { speaker } }, {}, { words: new Set(words) }).components.speaker
  t.equal(said(['ann', 'zweig'], ['ann', 'zweig']), 1.2)
  t.equal(said(['ann'], ['ann', 'zweig']), 1)
  t.equal(said(['ann'], null), 1)
})

t.test('policy vectors add and take by their weight and nearness, and nothing falls below 0', async (t) => {
  const policy = (weight: number, promote: boolean, cosine: number) => ({ embedding: unit(2, cosine), weight, promote })
  const by = (...policyVectors: readonly ReturnType<typeof policy>[]) =>
    rounded(only({ vectors: unit(0) }, { policyVectors }).components.policy)
  t.equal(by(policy(1, true, 1)), 1.5)
  t.equal(by(policy(1, false, 1)), 0.5)
  t.equal(by(policy(2, true, 0.5)), 1.5)
  t.equal(by(policy(1, true, -1)), 1, 'what is opposite to it, it says nothing of')
  t.equal(by(policy(1, true, 1), policy(0.5, false, 0.5)), 1.375)
  t.same(ranked([candidate(1, { vectors: unit(0) })], { policyVectors: [policy(2, false, 1)] }), [], 'nothing is left of it')
  t.same(ranked([candidate(1, { vectors: unit(0) })], { policyVectors: [policy(9, false, 1)] }), [])
})

t.test('the nearest anchor adds its share', async (t) => {
  const by = (...cosines: readonly number[]) =>
    rounded(only({ vectors: unit(0) }, { anchors: cosines.map((cosine) => unit(2, cosine)) }).components.anchor)
  t.equal(by(1), 1.1)
  t.equal(by(0.25, 0.5), 1.05)
  t.equal(by(-1), 1)
  t.equal(by(), 1)
})

t.test('a memory of several parts is as near to a policy and an anchor as its nearest part', async (t) => {
  const vectors = Float32Array.from([...unit(1), ...unit(0)])
  const { policy, anchor } = only(
    { vectors, partEnds: [3, 6] },
    { policyVectors: [{ embedding: unit(0), weight: 1, promote: true }], anchors: [unit(0)] }
  ).components
  t.same([policy, anchor], [1.5, 1.1])
})

t.test('a candidate without relevance is no hit', async (t) => {
  t.same(seqs(ranked([candidate(1, { fused: 0 }), candidate(2)])), [2])
})

t.test('of those that lead the newest gains two hundredths and the oldest nothing, by their ranks', async (t) => {
  const at = (seq: number, days: number, fused = 0.5) => candidate(seq, { timestamp: NOON - days * 86_400, fused })
  const gains = (...candidates: FusedCandidate[]) =>
    Object.fromEntries(ranked(candidates).map(({ entry, components }) => [entry.memory.seq, rounded(components.recency)]))
  t.same(gains(at(1, 900), at(2, 3), at(3, 2)), { 1: 1, 2: 1.01, 3: 1.02 })
  t.same(gains(at(1, 5), at(2, 5), at(3, 2)), { 1: 1, 2: 1, 3: 1.02 }, 'of one time they are of one rank')
  t.same(gains(at(1, 5)), { 1: 1 })
  t.same(gains(at(1, 5, 0.8), at(2, 4, 0.4), at(3, 3, 0.39), at(4, 2, 0.6)), { 1: 1, 2: 1.01, 3: 1.02, 4: 1.02 }, 'half of the best leads')
  t.same(gains(at(1, 5, 0.8), at(2, 4, 0.1)), { 1: 1, 2: 1.02 }, 'what does not lead gains no more than the newest')
})

t.test('equals are in the order of their places, the newest first', async (t) => {
  t.same(seqs(ranked([candidate(1), candidate(3), candidate(2)])), [3, 2, 1])
})

/** An older fact and a newer one on the same matter, with what each says. */
function facts(older: Given, newer: Given) {
  const hits = ranked(
    [candidate(1, { timestamp: NOON - 9, ...older }), candidate(2, { timestamp: NOON, ...newer })],
    {},
    { termsOf: ({ memory }) => ['invoice', 'approve', memory.seq === 1 ? 'karim' : 'sofia'] }
  )
  return { order: seqs(hits), hits, isSuperseded: hits.some(({ entry, supersededBy }) => entry.memory.seq === 1 && supersededBy !== null) }
}

t.test('what supersedes an older text comes just before it, from half of its score on', async (t) => {
  const { order, hits } = facts({ fused: 0.8 }, { fused: 0.5 })
  t.same(order, [2, 1])
  t.equal(rounded(hits[0]?.score ?? 0), rounded(1.001 * 0.8))
  t.equal(rounded(hits[0]?.components.supersession ?? 0), rounded((1.001 * 0.8) / (0.5 * 1.02)))
  t.equal(hits[1]?.supersededBy, 'hash of text 2')
  t.equal(hits[0]?.supersededBy, null)
  t.match(facts({ fused: 0.8 }, { fused: 0.3 }), { order: [1, 2], isSuperseded: false })
  t.equal(facts({ fused: 0.5 }, { fused: 0.8 }).hits[0]?.components.supersession, 1, 'what is better anyway is not lifted')
})

t.test('what is marked gives way only to what is marked as well, and says what came after it all the same', async (t) => {
  const marked = { stats: { importance: TRIGGERED_IMPORTANCE } }
  t.match(facts({ fused: 0.6, ...marked }, { fused: 0.5 }), { order: [1, 2], isSuperseded: true })
  t.match(facts({ fused: 0.8, ...marked }, { fused: 0.5, ...marked }), { order: [2, 1], isSuperseded: true })
  t.match(facts({ fused: 0.8 }, { fused: 0.5, ...marked }), { order: [2, 1], isSuperseded: true })
  const nearly = { stats: { importance: TRIGGERED_IMPORTANCE - 1e-9 } }
  t.match(facts({ fused: 0.6, ...nearly }, { fused: 0.5 }), { order: [2, 1], isSuperseded: true })
})

t.test('facts that change again and again come newest first', async (t) => {
  const candidates = [0.8, 0.7, 0.6].map((fused, n) => candidate(n + 1, { fused, timestamp: NOON + n }))
  const hits = ranked(candidates, {}, { termsOf: ({ memory }) => ['invoice', 'approve', `name ${String(memory.seq)}`] })
  t.same(seqs(hits), [3, 2, 1])
  t.same(
    hits.map(({ supersededBy }) => supersededBy),
    [null, 'hash of text 3', 'hash of text 3']
  )
})

t.test('what says the same as a better hit loses half of its score, unless it is of several parts or superseded by it', async (t) => {
  const beside = (cosine: number, more: Given = {}) =>
    ranked([candidate(1, { fused: 0.8, vectors: unit(0) }), candidate(2, { fused: 0.5, vectors: unit(3, cosine), ...more })])[1]?.components
      .diversity
  t.equal(beside(0.96), 0.5)
  t.equal(beside(0.94), 1)
  t.equal(beside(1, { vectors: unit(0) }), 0.5)
  t.equal(beside(1, { vectors: Float32Array.from([...unit(0), ...unit(1)]), partEnds: [3, 6] }), 1)
  const { hits } = facts({ fused: 0.8, vectors: unit(0) }, { fused: 0.6, vectors: unit(0) })
  t.equal(hits[1]?.components.diversity, 1, 'superseded')
})

t.test(
  'with segments given, each better hit of its segment costs a candidate a share, the less the better the query is answered',
  async (t) => {
    const inOne = (fused: number, segments: RetrievalQuery['segments']) =>
      ranked(
        [
          candidate(1, { fused, stats: { segment: 7 } }),
          candidate(2, { fused: fused * 0.9, stats: { segment: 7 } }),
          candidate(3, { fused: fused * 0.8, stats: { segment: 7 } }),
          candidate(4, { fused: fused * 0.1, stats: { segment: 8 } })
        ],
        { ...(segments !== undefined && { segments }) }
      ).map(({ components }) => rounded(components.diversity))
    t.same(inOne(0.5, []), [1, 0.85, 0.7225, 1])
    t.same(inOne(2, []), [1, 1, 1, 1])
    t.same(inOne(0.5, undefined), [1, 1, 1, 1])
  }
)

const few = fc.array(fc.record({ fused: fc.constantFrom(0.2, 0.3, 0.5, 0.9), axis: fc.nat(3), segment: fc.nat(2), isNear: fc.boolean() }), {
  minLength: 1,
  maxLength: 24
})

t.test('hits are those of a search that compares every candidate with every hit before it', async (t) => {
  fc.assert(
    fc.property(few, fc.integer({ min: 1, max: 12 }), fc.boolean(), (drawn, limit, hasSegments) => {
      const candidates = drawn.map(({ fused, axis, segment, isNear }, n) =>
        candidate(n + 1, { fused, vectors: unit(axis + 1, isNear ? 0.98 : 0), stats: { segment } })
      )
      const query = { limit, ...(hasSegments && { segments: [] }) }
      const best = Math.max(...candidates.map(({ fused }) => fused))
      const crowding = hasSegments ? 0.3 * (1 - Math.min(1, best)) : 0
      const left = candidates.map((one) => ({ one, diversity: 1 }))
      const expected: number[] = []
      while (expected.length < limit && left.length > 0) {
        left.sort((a, b) => b.one.fused * b.diversity - a.one.fused * a.diversity || b.one.entry.memory.seq - a.one.entry.memory.seq)
        const [taken] = left.splice(0, 1)
        if (taken === undefined) break
        expected.push(taken.one.entry.memory.seq)
        for (const other of left) {
          const [a, b] = [taken.one.entry, other.one.entry]
          const cosine = a.memory.vectors.reduce((sum, value, at) => sum + value * (b.memory.vectors[at] ?? 0), 0)
          if (cosine >= 0.95) other.diversity *= 0.5
          if (a.stats.segment === b.stats.segment) other.diversity *= 1 - crowding
        }
      }
      t.same(seqs(ranked(candidates, query)), expected)
    })
  )
})

t.test('of a long list as many are hits as are asked for, best first, and thinning ends', async (t) => {
  const same = { vectors: unit(0), stats: { segment: 0 } }
  const candidates = Array.from({ length: 90 }, (_, n) => candidate(n + 1, { fused: 0.9 - n / 1_000, ...same }))
  const hits = ranked(candidates, { limit: 40 })
  t.equal(hits.length, 40)
  t.same(
    hits.map(({ score }) => score),
    hits.map(({ score }) => score).sort((a, b) => b - a)
  )
  t.equal(rounded(hits[1]?.components.diversity ?? 0), 0.5)
  t.equal(hits.at(-1)?.components.diversity, 0.5 ** 32, 'compared with 32 of them')
  t.equal(ranked(candidates, { limit: 20 }).length, 20)
  t.equal(ranked(candidates, { limit: 32 }).length, 32)
})

t.test('a score is 1 at most', async (t) => {
  t.equal(only({ fused: 3 }).score, 1)
})

t.test('long lists are judged in pieces, and so are many vectors of one memory', async (t) => {
  let [judged, most] = [0, 0]
  const watched = (seq: number): FusedCandidate => ({
    ...candidate(seq),
    get wording() {
      judged += 1
      return PLAIN
    }
  })
  const judging = pieces(Array.from({ length: 100 }, (_, n) => watched(n + 1)))
  for (let step = judging.next(); step.done !== true; step = judging.next()) [most, judged] = [Math.max(most, judged), 0]
  t.equal(most, 32)
  const policyVectors = Array.from({ length: 640 }, () => ({ embedding: unit(1), weight: 0.001, promote: true }))
  const count = (query: Partial<RetrievalQuery>, given: Given = {}) => {
    let pauses = 0
    const steering = pieces([candidate(1, given)], query)
    while (steering.next().done !== true) pauses += 1
    return pauses
  }
  const without = count({})
  t.equal(count({ policyVectors }) - without, 10)
  t.equal(count({ policyVectors }, { vectors: Float32Array.from([...unit(0), ...unit(1)]), partEnds: [1, 2] }) - without, 20)
  const steerings: NonNullable<RetrievalQuery['steerings']> = new Map()
  const candidates = [candidate(1), candidate(2)]
  const apart = ranked(candidates, { policyVectors })
  t.same(ranked(candidates, { policyVectors, steerings }), apart)
  t.same(ranked(candidates, { anchors: [unit(2)], steerings }), apart, 'what was kept is not worked out again')
})
