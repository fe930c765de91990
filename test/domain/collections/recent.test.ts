import t from 'tap'
import { createRecent } from '../../../src/domain/collections/recent.js'

t.test('what was kept lately is found, and of what is older as much as was asked for since', async (t) => {
  const recent = createRecent<object, string>(3).of('alice')
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

t.test('a generation is full at its bound, and what comes then begins the next one', async (t) => {
  const recent = createRecent<object, number>(4).of('alice')
  const keys = [0, 1, 2, 3, 4].map(() => ({}))
  const found = () => keys.map((key, at) => (recent.get(key) === at ? at : null)).filter((at) => at !== null)
  for (const [at, key] of keys.slice(0, 4).entries()) recent.keep(key, at, 2)
  recent.keep(keys[4] as object, 4, 2)
  t.same(found(), [2, 3, 4])
})

t.test('it keeps no more than twice its bound', async (t) => {
  const recent = createRecent<object, number>(10).of('alice')
  const keys = Array.from({ length: 100 }, () => ({}))
  keys.forEach((key, at) => recent.keep(key, at, 1))
  const kept = keys.filter((key) => recent.get(key) !== undefined)
  t.ok(kept.length <= 20, String(kept.length))
  t.equal(recent.get(keys[99] as object), 99)
})

t.test('what one subject keeps, however much, pushes out nothing of another', async (t) => {
  const recent = createRecent<object, number>(10)
  const quiet = {}
  recent.of('quiet').keep(quiet, 1, 1)
  for (let n = 0; n < 1_000; n++) recent.of('loud').keep({}, n, 5)
  t.equal(recent.of('quiet').get(quiet), 1)
})

t.test('an object that one subject has kept is not found by another', async (t) => {
  const recent = createRecent<object, number>(10)
  const key = {}
  recent.of('alice').keep(key, 1, 1)
  t.equal(recent.of('bob').get(key), undefined)
})

t.test('of all subjects as much is kept as of two full ones: beyond, the one that was here longest ago loses its part', async (t) => {
  const recent = createRecent<object, number>(10)
  const names = Array.from({ length: 100 }, (_, at) => `s${String(at)}`)
  const keys = names.map((name, at) => {
    const key = {}
    recent.of(name).keep(key, at, 4)
    return key
  })
  const kept = (): string[] => names.filter((name, at) => recent.of(name).get(keys[at] as object) !== undefined)
  t.same(kept(), names.slice(90))
  recent.of('s90').keep({}, 0, 4)
  t.same(kept(), ['s90', ...names.slice(92)], 'and not the one that keeps')
})
