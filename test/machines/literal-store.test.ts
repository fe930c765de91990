import fc from 'fast-check'
import t from 'tap'
import { createLiteralStore, heldBytes, utf8Bytes } from '../../machines/literal-store.js'
import type { Entity } from '../../src/domain/session.js'

const entity = (key: string, value: string): Entity => ({ key, kind: 'constant', value, context: null, importance: 1, accessCount: 0, timestamp: 0 })

t.test('an entity, put, replaced and removed, is counted with its bytes', async (t) => {
  const store = createLiteralStore()
  store.put(entity('a', 'äé'))
  store.put(entity('b', '🙂'))
  t.same([store.size, store.bytes], [2, 8])
  store.put(entity('a', 'x'))
  t.same([store.size, store.bytes, store.get('a')?.value], [2, 5, 'x'])
  t.same([...store.all()].map(({ key }) => key), ['a', 'b'])
  store.remove('a')
  store.remove('never there')
  t.same([store.size, store.bytes, store.get('a')], [1, 4, undefined])
})

t.test('a listener, hears every change until it stops', async (t) => {
  const store = createLiteralStore()
  let heard = 0
  const stop = store.watch(() => (heard += 1))
  store.put(entity('a', '1'))
  store.put(entity('b', '2'))
  store.put(entity('a', '3'))
  store.remove('a')
  stop()
  store.put(entity('c', '4'))
  t.equal(heard, 4)
})

t.test('any text, has the size of its UTF-8 bytes', async () => {
  const unit = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  fc.assert(fc.property(unit, (value) => utf8Bytes(value) === Buffer.byteLength(value, 'utf8')))
  t.equal(heldBytes(undefined), 0)
})

t.test('any puts and removals, leave what a plain map would hold', async () => {
  const change = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'a/b'), value: fc.option(fc.string()) })
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const store = createLiteralStore()
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
      t.same([...store.all()].map((one) => [one.key, one.value]), [...model])
      t.equal(store.bytes, [...model.values()].reduce((sum, value) => sum + Buffer.byteLength(value), 0))
    })
  )
})
