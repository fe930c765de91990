import t from 'tap'
import { wordsBytes } from '../../../src/domain/words/session-weight.js'

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
