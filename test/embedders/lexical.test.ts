import t from 'tap'
import { termsOf } from '../../src/domain/text/terms.js'
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'

t.test('the same text gives the same vector of the dimension asked for', async (t) => {
  const embedder = createLexicalEmbedder()
  for (const dimension of [1, 3, 384, 16_384]) {
    const [a, b] = await embedder.embed(['Hello there', 'Hello there'], { dimension })
    t.equal(a?.length, dimension)
    t.same(a, b)
  }
})

t.test('terms that are given are not read again, and make the vectors of their texts', async (t) => {
  const embedder = createLexicalEmbedder()
  const [own, other] = ['We fly to Lisbon in May, not in June.', 'Die Häuser am Fluss sind von 1904.']
  const read = await embedder.embed([own, other], { dimension: 64 })
  t.same(await embedder.embed([own, other], { dimension: 64, terms: new Map([[own, termsOf(own)]]) }), read)
  const [mistaken] = await embedder.embed([own], { dimension: 64, terms: new Map([[own, termsOf(other)]]) })
  t.same(mistaken, read[1])
})

for (const [name, texts, least] of [
  ['many long texts', Array<string>(20).fill('some words '.repeat(1000)), 18],
  ['the windows of one long text', Array<string>(40).fill('가나다라'.repeat(64)), 4]
] as const) {
  t.test(`${name} let other work run in between`, async (t) => {
    let turns = 0
    const timer = setImmediate(function count() {
      turns++
      if (turns < 1000) setImmediate(count)
    })
    const vectors = await createLexicalEmbedder().embed(texts, { dimension: 64 })
    clearImmediate(timer)
    t.equal(vectors.length, texts.length)
    t.ok(turns >= least, `${turns} turns`)
  })
}

t.test('a cancelled request is refused', async (t) => {
  await t.rejects(createLexicalEmbedder().embed(['a'], { dimension: 8, signal: AbortSignal.abort() }), { code: 'embedder_unavailable' })
})

t.test('tokens are estimated at 4 characters each, rounded up', async (t) => {
  const { countTokens, windowTokens } = createLexicalEmbedder()
  t.same(['', 'abcd', 'abcde'].map(countTokens), [0, 1, 2])
  t.ok(windowTokens > 0)
})
