import t from 'tap'
import { ENTITY_WORDS_MAX } from '../../../src/domain/limits.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import type { Entity } from '../../../src/domain/session.js'
import { rankEntities, readEntity, searchedText } from '../../../src/domain/words/entity-search.js'
import { searchableWeight } from '../../../src/domain/words/session-weight.js'

function entity(key: string, value: string, own: Partial<Entity> = {}): Entity {
  return { key, kind: 'function', value, context: null, importance: 1, accessCount: 0, timestamp: 0, ...own }
}

const ENTITIES = [
  entity('src/users/get-user.ts', 'export function getUserName(id) { return names.get(id) }'),
  entity('MAX_RETRIES', '5', { kind: 'constant' }),
  entity('parse', 'function parse(text) { retries = 0 }', { context: 'the tokenizer' })
]
const keys = (query: string, from: Iterable<Entity> = ENTITIES) => rankEntities(query, from).map(({ entity: { key } }) => key)

t.test('an empty query finds every entity, by importance, then the newest, then by key', async (t) => {
  const found = [entity('b', ''), entity('a', ''), entity('c', '', { importance: 2 }), entity('d', '', { timestamp: 9 })]
  t.same(keys(' ', found), ['c', 'd', 'a', 'b'])
  t.same(keys('', [...found].reverse()), ['c', 'd', 'a', 'b'])
})

t.test('a word of the key counts more than one of the value', async (t) => {
  t.same(keys('retries'), ['MAX_RETRIES', 'parse'])
  t.same(
    rankEntities('retries', ENTITIES).map(({ overlap }) => overlap),
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
  // 46 bytes of heap a word were measured beside the text that they stand in.
  t.ok(searchableWeight(many).heap >= 46 * found.size + searchedText(many).length)
  t.ok(searchableWeight(entity('a', 'let it be')).heap < 1_000)
})
