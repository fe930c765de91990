/** Detection of hits that repeat a better one, first by the heads of two vectors. */
import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import { dot } from '../../src/domain/similarity/vector.js'
import { diversified, type Ranked } from '../../src/retrieval/diversity.js'
import { memoryEntry, NOON } from '../support/memories.js'

function rankedBy(score: number, vectors: Float32Array): Ranked {
  const seq = 1_000 - Math.round(1_000 * score)
  const entry = memoryEntry(seq, `text ${String(seq)}`, { vectors }, { segment: seq })
  const candidate = { entry, wording: { questionShare: 0, speaker: null, change: null }, ownDense: 0, dense: 0, lexical: score }
  const plain = { fused: score, steering: { policy: 1, anchor: 1 }, recency: 1, supersession: 1, supersededBy: null }
  return { candidate, ...plain, score, diversity: 1, compared: 0, tail: null }
}

t.test('two say the same from a cosine of .95 on, wherever in their vectors they are alike', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const cosines = fc.double({ min: 0.9, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.constantFrom(3, 64, 65, 200), share, share, cosines, (size, first, place, cosine) => {
      // The vectors agree at both ends and differ somewhere in between.
      const common = new Float32Array(size)
      common[0] = Math.sqrt(first)
      common[size - 1] = Math.sqrt(1 - first)
      const own = 1 + Math.floor((size - 3) * place)
      const vectors = common.map((value, at) => (at === own ? Math.sqrt(1 - cosine ** 2) : cosine * value))
      const hits = inOneGo(diversified([rankedBy(0.9, common), rankedBy(0.8, vectors)], { now: NOON, limit: 2, monotonicMs: () => 0 }))
      return hits[1]?.diversity === (dot(common, vectors) >= 0.95 ? 0.5 : 1)
    })
  )
})
