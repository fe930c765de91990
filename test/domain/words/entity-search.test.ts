import fc from 'fast-check'
import t from 'tap'
import { ENTITY_WORDS_MAX, SEARCH_TERMS_MAX } from '../../../src/domain/limits.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import type { Entity } from '../../../src/domain/session.js'
import { rankEntities, readEntity, searchableWeight, searchedText } from '../../../src/domain/words/entity-search.js'

function entity(key: string, value: string, own: Partial<Entity> = {}): Entity {
  return { key, kind: 'function', value, context: null, importance: 1, accessCount: 0, timestamp: 0, ...own }
}

const ENTITIES = [
  entity('src/users/get-user.ts', 'export function getUserName(id) { return names.get(id) }'),
  entity('MAX_RETRIES', '5', { kind: 'constant' }),
  entity('parse', 'function parse(text) { retries = 0 }', { context: 'the tokenizer' })
]
const rank = (query: string, from: Iterable<Entity> = ENTITIES) => inOneGo(rankEntities(query, from))
const keys = (query: string, from: Iterable<Entity> = ENTITIES) => rank(query, from).map(({ entity: { key } }) => key)

t.test('an empty query finds every entity, by importance, then the newest, then by key', async (t) => {
  const found = [entity('b', ''), entity('a', ''), entity('c', '', { importance: 2 }), entity('d', '', { timestamp: 9 })]
  t.same(keys(' ', found), ['c', 'd', 'a', 'b'])
  t.same(keys('', [...found].reverse()), ['c', 'd', 'a', 'b'])
})

t.test('a word of the key counts more than one of the value', async (t) => {
  t.same(keys('retries'), ['MAX_RETRIES', 'parse'])
  t.same(
    rank('retries').map(({ overlap }) => overlap),
    [1, 0.5]
  )
})

t.test('parts of identifiers and other forms of a word are found', async (t) => {
  t.same(keys('users'), ['src/users/get-user.ts'])
  t.same(keys('getUserName'), ['src/users/get-user.ts'])
  t.same(keys('tokenizer'), ['parse'])
})

t.test('a query without any word in common finds nothing; one of stop words alone, what holds them', async (t) => {
  t.same(keys('zebra'), [])
  t.same(keys('???'), [])
  t.same(keys('the', [entity('k', 'the value')]), ['k'])
})

t.test('a replaced entity is searched by its new value', async (t) => {
  t.same(keys('zebra', [entity('k', 'horse')]), [])
  t.same(keys('zebra', [entity('k', 'zebra')]), ['k'])
})

t.test('an entity of many words is found by the first of them, and they weigh no less than they take', async (t) => {
  const words = Array.from({ length: 12_000 }, (_, at) => (46_656 + at).toString(36))
  const many = entity('many', words.join(' '), { context: words.map((word) => `c${word}`).join(' ') })
  const found = inOneGo(readEntity(many)).value
  t.ok(found.size <= ENTITY_WORDS_MAX, `${found.size} words`)
  t.strictSame(keys(words[0] ?? '', [many]), ['many'])
  // Measured: 46 bytes of heap per word, beside the text that contains them.
  t.ok(searchableWeight(many).heap >= 46 * found.size + searchedText(many).length)
  t.ok(searchableWeight(entity('a', 'let it be')).heap < 1_000)
  // Two texts of 24 bytes and their letters, with the line between value and context, and 50 bytes for each of five words.
  t.same(searchableWeight(entity('abc', 'defg')), { heap: 24 + 5 + 24 + 3 + 5 * 50, buffers: 0 })
})

t.test('each entity is ranked by the words it shares with the query, whichever of them has more words', async () => {
  const words = (maxLength: number) =>
    fc.array(
      fc.nat(30).map((at) => `q${(at + 40).toString(36)}`),
      { maxLength }
    )
  const made = fc.record({ key: words(3), value: words(20), importance: fc.nat(1), timestamp: fc.nat(1) })
  const given = fc
    .array(made, { maxLength: 8 })
    .map((all) => all.map(({ key, value, ...own }, at) => entity(`${String(at)} ${key.join(' ')}`, value.join(' '), own)))
  fc.assert(
    fc.property(words(12), given, (query, all) => {
      const asked = new Set(query)
      const expected = all.map((one) => {
        const [key, value] = [one.key.split(' '), one.value.split(' ')]
        const sum = [...asked].reduce((so, word) => so + (key.includes(word) ? 2 : value.includes(word) ? 1 : 0), 0)
        return { key: one.key, overlap: asked.size === 0 ? 1 : sum / (2 * asked.size) }
      })
      const found = rank(query.join(' '), all)
      const isEach = expected.every(({ key, overlap }) => overlap === (found.find((one) => one.entity.key === key)?.overlap ?? 0))
      return isEach && found.every(({ overlap }, at) => at === 0 || overlap <= (found[at - 1]?.overlap ?? 0))
    }),
    { numRuns: 500 }
  )
})

/** As many words looked up per piece. */
const LOOKUPS_A_PIECE = 16_384

const distinct = (count: number, letter: string): string =>
  Array.from({ length: count }, (_, at) => `${letter}${(46_656 + at).toString(36)}`).join(' ')

t.test('of a query of very many words the first ones count', async (t) => {
  const query = distinct(SEARCH_TERMS_MAX + 10, 'q')
  const words = query.split(' ')
  t.same(keys(query, [entity('k', words[SEARCH_TERMS_MAX - 1] ?? ''), entity('l', words[SEARCH_TERMS_MAX] ?? '')]), ['k'])
})

t.test('many entities and a query of many words take a piece for every so many lookups', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, at) => entity(`k${String(at)}`, `value ${String(at)}`))
  many.push(...Array.from({ length: 200 }, (_, at) => entity(`l${String(at)}`, distinct(400, `v${String(at)}x`))))
  for (const one of many) inOneGo(readEntity(one))
  const work = rankEntities(distinct(20_000, 'w'), many)
  let pieces = 1
  while (work.next().done !== true) pieces++
  // A few lookups per entity, however many words the query has; for an entity with more words, as many as the query has.
  const lookups = 10_000 * 12 + 200 * (SEARCH_TERMS_MAX + 4)
  t.ok(pieces >= lookups / LOOKUPS_A_PIECE / 3 && pieces <= lookups / LOOKUPS_A_PIECE + 2, `${String(pieces)} pieces`)
})
