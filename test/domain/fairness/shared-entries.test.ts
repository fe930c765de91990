import t from 'tap'
import { createSharedEntries, entryKey } from '../../../src/domain/fairness/shared-entries.js'

t.test('shared entries: of one too many the one goes that was used longest ago', async (t) => {
  const entries = createSharedEntries<number>(3)
  for (const [at, name] of ['a', 'b', 'c'].entries()) entries.keep(name, `key of ${name}`, at)
  t.equal(entries.get('key of a'), 0, 'and is the one used last')
  entries.keep('d', 'key of d', 3)
  t.equal(entries.get('key of b'), undefined)
  t.same(
    ['a', 'c', 'd'].map((name) => entries.get(`key of ${name}`)),
    [0, 2, 3]
  )
})

t.test('shared entries: who has more than an equal part gives up its own, in the order of their use', async (t) => {
  const entries = createSharedEntries<string>(4)
  entries.keep('quiet', 'q', 'quiet')
  for (const key of ['1', '2', '3']) entries.keep('loud', key, key)
  t.equal(entries.get('1'), '1')
  entries.keep('loud', '4', '4')
  t.same(
    ['q', '1', '2', '3', '4'].filter((key) => entries.get(key) !== undefined),
    ['q', '1', '3', '4']
  )
})

t.test('shared entries: who has no more than an equal part does not pay for the one that was there longer', async (t) => {
  const entries = createSharedEntries<string>(4)
  for (const key of ['1', '2', '3']) entries.keep('loud', key, key)
  for (const key of ['q', 'r']) entries.keep('quiet', key, key)
  t.same(
    ['1', '2', '3', 'q', 'r'].filter((key) => entries.get(key) !== undefined),
    ['2', '3', 'q', 'r']
  )
})

t.test('shared entries: one that is kept again has its new value and one place, and one that is deleted has none', async (t) => {
  const entries = createSharedEntries<number>(2)
  entries.keep('a', 'k', 1)
  entries.keep('a', 'k', 2)
  entries.keep('b', 'l', 3)
  t.equal(entries.get('k'), 2)
  entries.delete('k')
  entries.delete('k')
  entries.keep('c', 'm', 4)
  t.same(
    ['k', 'l', 'm'].map((key) => entries.get(key)),
    [undefined, 3, 4]
  )
})

t.test('shared entries: no subject has the key of another, whatever both are called', async (t) => {
  const keys = [entryKey('b c', 'a'), entryKey('c', 'a b'), entryKey('b', 'c:a'), entryKey('b:c', 'a'), entryKey('', 'b c a')]
  t.equal(new Set(keys).size, keys.length)
  t.equal(entryKey('b c', 'a'), keys[0])
})
