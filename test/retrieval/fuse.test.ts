import t from 'tap'
import { DENSE_WEIGHT_LEARNED, DENSE_WEIGHT_LEXICAL, fuse } from '../../src/retrieval/fuse.js'
import type { Candidate } from '../../src/retrieval/retrieve.js'
import { memoryEntry } from '../support/memories.js'

/** `count` candidates whose cosines rise evenly from `from` to `to`. */
function candidates(count: number, [from, to]: readonly [number, number]): Candidate[] {
  return Array.from({ length: count }, (_, n) => {
    const dense = from + ((to - from) * n) / (count - 1)
    return {
      entry: memoryEntry(n + 1, 'text'),
      wording: { questionShare: 0, speaker: null, change: null },
      ownDense: dense,
      dense,
      lexical: 0
    }
  })
}

const found = (items: readonly Candidate[]) => ({
  items,
  hasVector: true,
  hasWords: false,
  words: new Set<string>(),
  terms: new Set<string>(),
  isOfTime: false
})

t.test('a learned model whose cosines are all high tells texts apart as one whose cosines begin at 0', async (t) => {
  const low = fuse(found(candidates(100, [0, 0.5])), DENSE_WEIGHT_LEARNED)
  const high = fuse(found(candidates(100, [0.8, 0.9])), DENSE_WEIGHT_LEARNED)
  for (const [at, relevance] of low.relevance.entries()) t.ok(Math.abs(relevance - (high.relevance[at] ?? 1)) < 1e-9, `candidate ${at}`)
  t.ok(Math.abs(high.ground - (0.8 + (0.1 * 25) / 99)) < 1e-9, 'the cosine a quarter of the way up')
  const { items } = found(candidates(100, [0.8, 0.9]))
  t.equal(fuse(found(items.toReversed()), DENSE_WEIGHT_LEARNED).ground, high.ground, 'in whatever order they are')
})

t.test('the cosine of unrelated texts is from 0 to 0.95, and of 60 candidates or more', async (t) => {
  const groundOf = (count: number, range: readonly [number, number]) => fuse(found(candidates(count, range)), DENSE_WEIGHT_LEARNED).ground
  t.equal(groundOf(60, [0.5, 0.5]), 0.5)
  t.equal(groundOf(59, [0.5, 0.5]), 0)
  t.equal(groundOf(60, [-0.5, -0.5]), 0)
  t.equal(groundOf(60, [0.97, 0.97]), 0.95)
  const below = fuse(found([...candidates(60, [0.5, 0.5]), ...candidates(2, [0.1, 0.75])]), DENSE_WEIGHT_LEARNED)
  t.same(below.relevance.slice(-2), [0, 0.5])
})

t.test('cosines count as they are where there are few candidates, or the vectors are of words', async (t) => {
  for (const [count, weight] of [
    [20, DENSE_WEIGHT_LEARNED],
    [100, DENSE_WEIGHT_LEXICAL]
  ] as const) {
    const { items, relevance, ground } = fuse(found(candidates(count, [0.6, 0.9])), weight)
    t.equal(ground, 0)
    t.equal(relevance.length, count)
    for (const [at, { dense }] of items.entries()) t.ok(Math.abs((relevance[at] ?? 0) - dense) < 1e-9)
  }
})

t.test('relevance is the mean of cosine and words, by their weights; of one of them alone that one', async (t) => {
  const [first] = candidates(2, [0.4, 0.8])
  const items = [{ ...(first as Candidate), lexical: 1.2 }]
  const fused = (hasVector: boolean, hasWords: boolean) => fuse({ ...found(items), hasVector, hasWords }, 0.25)
  const relevanceOf = (hasVector: boolean, hasWords: boolean) => fused(hasVector, hasWords).relevance[0]?.toFixed(9)
  t.equal(relevanceOf(true, true), ((0.25 * 0.4 + 1.2) / 1.25).toFixed(9))
  t.equal(relevanceOf(true, false), (0.4).toFixed(9))
  t.equal(relevanceOf(false, true), (1.2).toFixed(9))
  t.equal(relevanceOf(false, false), (0).toFixed(9))
  t.same([fused(true, true).blend, fused(true, false).blend, fused(false, true).blend, fused(false, false).blend], [0.2, 1, 0, 0])
})
