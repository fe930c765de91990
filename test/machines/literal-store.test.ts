import fc from 'fast-check'
import t from 'tap'
import { heldBytes, type LiteralNews, LiteralStore, utf8Bytes } from '../../machines/literal-store.js'
import type { Entity } from '../../src/domain/session.js'
import { anyCharacter } from '../support/any-text.js'

const entity = (key: string, value: string): Entity => ({
  key,
  kind: 'constant',
  value,
  context: null,
  importance: 1,
  accessCount: 0,
  timestamp: 0
})

const counted = (store: LiteralStore): number[] => [store.held().entities, store.held().bytes]

t.test('an entity is counted with its bytes when it is put, replaced and removed', async (t) => {
  const store = new LiteralStore()
  store.put(entity('a', 'äé'))
  store.put(entity('b', '🙂'))
  t.same([...counted(store)], [2, 10])
  store.put(entity('a', 'x'))
  t.same([...counted(store), store.get('a')?.value], [2, 7, 'x'])
  t.same(
    [...store.all()].map(({ key }) => key),
    ['a', 'b']
  )
  store.remove('a')
  store.remove('never there')
  t.same([...counted(store), store.get('a')], [1, 5, undefined])
})

/** A cache with the events that it has emitted. */
function watched() {
  const store = new LiteralStore()
  const told: LiteralNews[] = []
  store.watch((news) => told.push(news))
  return { store, told }
}

t.test('what came with the session is told once, and nothing of an empty cache', async (t) => {
  const { store, told } = watched()
  store.load()
  store.evict('put_away')
  t.same(told, [])
  store.put(entity('a', 'äé'))
  store.put(entity('b', '1'))
  t.same(told, [], 'what is put, its owner knows')
  store.load()
  t.same(told, [{ type: 'loaded', entities: 2, bytes: 7 }])
})

t.test('what leaves is told with its reason: by its key, with the rest, and never what was not there', async (t) => {
  const { store, told } = watched()
  for (const key of ['a', 'b', 'c']) store.put(entity(key, key))
  store.remove('never there')
  store.remove('b')
  store.evict('replaced')
  store.evict('put_away')
  t.same(told, [
    { type: 'evicted', entities: 1, bytes: 2, reason: 'removed' },
    { type: 'evicted', entities: 2, bytes: 4, reason: 'replaced' }
  ])
  t.same([...counted(store), [...store.all()]], [0, 0, []])
})

t.test('any text has the size of its UTF-8 bytes', async () => {
  const unit = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }))
  fc.assert(fc.property(unit, (value) => utf8Bytes(value) === Buffer.byteLength(value, 'utf8')))
  t.equal(heldBytes(undefined), 0)
})

t.test('any puts and removals leave what a plain map would hold', async () => {
  const change = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'a/b'), value: fc.option(fc.string()) })
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const store = new LiteralStore()
      const model = new Map<string, string>()
      for (const { key, value } of changes) {
        if (value === null) {
          store.remove(key)
          model.delete(key)
        } else {
          store.put(entity(key, value))
          model.set(key, value)
        }
      }
      t.same(
        [...store.all()].map((one) => [one.key, one.value]),
        [...model]
      )
      t.equal(
        store.held().bytes,
        [...model].reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
      )
    })
  )
})
