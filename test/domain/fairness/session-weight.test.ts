import t from 'tap'
import { derivedWeight, indexedWeight, newMemoryWeight, packedWordsBytes, wordsBytes } from '../../../src/domain/fairness/session-weight.js'

t.test('words weigh by their number, their characters and where they stand, each for itself', async (t) => {
  const none = { words: 0, characters: 0, occurrences: 0 }
  t.equal(wordsBytes(none), 0)
  for (const name of ['words', 'characters', 'occurrences'] as const) {
    const one = wordsBytes({ ...none, [name]: 1 })
    t.ok(one > 0)
    t.equal(wordsBytes({ ...none, [name]: 7 }), 7 * one, name)
  }
  const each = (count: number) => wordsBytes({ words: count, characters: count, occurrences: count })
  t.equal(each(5), 5 * each(1))
  t.equal(wordsBytes({ ...none, characters: 12 }), 12)
})

t.test('the row of a text in parts has a mean of them beside the places of each', async (t) => {
  const vectors = new Float32Array(24)
  const [whole, parted, more] = [[9], [3, 6, 9], [2, 4, 6, 9]].map((partEnds) => indexedWeight({ vectors, partEnds }))
  const place = (more?.buffers ?? 0) - (parted?.buffers ?? 0) + vectors.byteLength / 3 - vectors.byteLength / 4
  t.equal(place, 68)
  t.equal((parted?.buffers ?? 0) - (whole?.buffers ?? 0), vectors.byteLength / 3 + 2 * place)
  t.same(indexedWeight({ vectors: new Float32Array(0), partEnds: [] }).buffers, place, 'of no text that of one part')
})

t.test('packed words weigh by their memories and letters, and a session by what it has beside its rows', async (t) => {
  t.equal(packedWordsBytes({ documents: 3, characters: 70 }), 370)
  t.same(derivedWeight({ wordBytes: 30, sumBytes: 7 }), { heap: 8_030, buffers: 7 })
  const of = (length: number) => indexedWeight({ vectors: new Float32Array(length), partEnds: [1] })
  t.equal(of(24).buffers - of(0).buffers, 24, 'a byte a number for the rounded copy')
  t.equal(of(24).heap, 500)
})

t.test('a new memory weighs its row, its vectors, and each word that it may have', async (t) => {
  const weight = (text: string, more: { parts?: number; words?: { size: number } } = {}) => newMemoryWeight({ text, parts: 1, ...more }, 24)
  const row = 1_200 + 500 + 24 + 190
  t.same(weight('abcd', { words: { size: 3 } }), { heap: row + 4 + 3 * 300 + 8, buffers: 96 + 24 + 68 })
  t.same(weight('abcd'), { heap: row + 4 + 4 * 300 + 8, buffers: 96 + 24 + 68 }, 'as many as its letters could make')
  t.same(weight('abcd', { words: { size: 0 } }).heap, row + 4 + 100, 'what packed words weigh at least')
  t.same(weight('abcd', { parts: 2 }).buffers, 192 + 96 + 48 + 2 * 68)
  t.equal(weight('x'.repeat(40_000)).heap, row + 40_000 + 32_768 * 300 + 80_000, 'and no more than one memory may have')
})
