import fc from 'fast-check'
import t from 'tap'
import { LeanMap, LeanSet } from '../../../src/domain/collections/lean-map.js'

const key = fc.constantFrom('a', 'b', 'c')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constant('put' as const), key, value: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('clear' as const) }) }
)

t.test('a lean map holds what a map holds, in its order, after any setting and deleting', async (t) => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const lean = new LeanMap<string, number>()
      const plain = new Map<string, number>()
      for (const done of steps) {
        if (done.name === 'put') {
          t.equal(lean.set(done.key, done.value), lean)
          plain.set(done.key, done.value)
        } else if (done.name === 'delete') t.equal(lean.delete(done.key), plain.delete(done.key))
        else {
          lean.clear()
          plain.clear()
        }
        t.equal(lean.size, plain.size)
        t.same([...lean], [...plain])
        t.same([...lean.keys()], [...plain.keys()])
        t.same([...lean.values()], [...plain.values()])
        for (const each of ['a', 'b', 'c']) {
          t.equal(lean.has(each), plain.has(each))
          t.equal(lean.get(each), plain.get(each))
        }
      }
    })
  )
})

t.test('a lean map without anything has no key, not even one that is undefined', async (t) => {
  const lean = new LeanMap<string | undefined | null, number>()
  t.notOk(lean.has(undefined))
  t.equal(lean.get(undefined), undefined)
  t.notOk(lean.delete(undefined))
  t.equal(lean.set(null, 1).get(null), 1)
  t.notOk(lean.has(undefined))
})

t.test('a lean set holds what a set holds, in its order, after any adding and deleting', async (t) => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const lean = new LeanSet<string>()
      const plain = new Set<string>()
      for (const done of steps) {
        if (done.name === 'put') {
          t.equal(lean.add(done.key), lean)
          plain.add(done.key)
        } else if (done.name === 'delete') t.equal(lean.delete(done.key), plain.delete(done.key))
        else {
          lean.clear()
          plain.clear()
        }
        t.equal(lean.size, plain.size)
        t.same([...lean], [...plain])
        for (const each of ['a', 'b', 'c']) t.equal(lean.has(each), plain.has(each))
      }
    })
  )
})

t.test('what is walked through may be deleted meanwhile', async (t) => {
  for (const values of [['a'], ['a', 'b', 'c']]) {
    const set = new LeanSet<string>()
    for (const value of values) set.add(value)
    for (const value of set) set.delete(value)
    t.equal(set.size, 0)
  }
})
