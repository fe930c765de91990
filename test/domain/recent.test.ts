import t from 'tap'
import { createRecent } from '../../src/domain/recent.js'

t.test('what was kept lately is found, and of what is older as much as was asked for since', async (t) => {
  const recent = createRecent<object, string>(3)
  const [first, second, third] = [{}, {}, {}]
  recent.keep(first, 'first', 2)
  recent.keep(second, 'second', 2)
  recent.keep(third, 'third', 2)
  t.equal(recent.get(first), 'first')
  for (let n = 0; n < 2; n++) recent.keep({}, 'another', 2)
  t.equal(recent.get(first), 'first', 'asked for a moment ago')
  t.equal(recent.get(second), undefined)
  t.equal(recent.get({}), undefined)
})

t.test('it keeps no more than twice its bound', async (t) => {
  const recent = createRecent<object, number>(10)
  const keys = Array.from({ length: 100 }, () => ({}))
  keys.forEach((key, at) => recent.keep(key, at, 1))
  const kept = keys.filter((key) => recent.get(key) !== undefined)
  t.ok(kept.length <= 20, String(kept.length))
  t.equal(recent.get(keys[99] as object), 99)
})
