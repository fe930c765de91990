import t from 'tap'
import { indexedWeight, wordsBytes } from '../../../src/domain/fairness/session-weight.js'

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
  t.ok(place > 0)
  t.equal((parted?.buffers ?? 0) - (whole?.buffers ?? 0), vectors.byteLength / 3 + 2 * place)
  t.same(indexedWeight({ vectors: new Float32Array(0), partEnds: [] }).buffers, place, 'of no text that of one part')
})
