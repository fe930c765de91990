import fc from 'fast-check'
import t, { type Test } from 'tap'
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

t.test('a lean map that grows from nothing to many and back holds what a map holds, at each size', async (t) => {
  const lean = new LeanMap<number, string | string[]>()
  const plain = new Map<number, string | string[]>()
  const agree = (): void => {
    t.equal(lean.size, plain.size)
    t.same([...lean], [...plain])
    t.same([...lean.keys()], [...plain.keys()])
    t.same([...lean.values()], [...plain.values()])
    const keys = Array.from({ length: 50 }, (_, key) => key)
    t.ok(keys.every((key) => lean.get(key) === plain.get(key) && lean.has(key) === plain.has(key)))
  }
  for (let key = 0; key < 40; key++) {
    const value = key % 2 === 0 ? String(key) : [String(key)]
    for (const map of [lean, plain]) map.set(key, value).set(key >> 1, value)
    agree()
  }
  shrink(t, { lean, plain, agree })
})

t.test('a lean set that grows from nothing to many and back holds what a set holds, at each size', async (t) => {
  const lean = new LeanSet<number>()
  const plain = new Set<number>()
  const agree = (): void => {
    t.equal(lean.size, plain.size)
    t.same([...lean], [...plain])
    for (let value = 0; value < 40; value++) if (lean.has(value) !== plain.has(value)) t.fail(String(value))
  }
  for (let value = 0; value < 40; value++) {
    for (const set of [lean, plain]) set.add(value).add(value >> 1)
    agree()
  }
  shrink(t, { lean, plain, agree })
})

type Shrinking = Pick<Set<number>, 'delete'>

/** Removes one of forty after the other, in another order than they came in. */
function shrink(
  t: Test,
  { lean, plain, agree }: { readonly lean: Shrinking; readonly plain: Shrinking; readonly agree: () => void }
): void {
  for (let at = 0; at < 40; at++) {
    const gone = (at * 7) % 40
    t.equal(lean.delete(gone), plain.delete(gone))
    t.notOk(lean.delete(gone))
    agree()
  }
}

t.test('a lean map of few entries shows those that were there when it was asked', async (t) => {
  for (const count of [1, 2, 32]) {
    const map = new LeanMap<number, number>()
    for (let key = 0; key < count; key++) map.set(key, key)
    const seen: number[] = []
    for (const [key] of map) {
      seen.push(key)
      map.delete(key)
      map.set(key + 100, key)
    }
    const set = new LeanSet<number>()
    for (let value = 0; value < count; value++) set.add(value)
    for (const value of set) set.delete(value)
    t.equal(set.size, 0)
    t.same(
      seen,
      Array.from({ length: count }, (_, key) => key)
    )
    t.equal(map.size, count)
  }
})

t.test('what is walked through may be deleted meanwhile', async (t) => {
  for (const values of [['a'], ['a', 'b', 'c']]) {
    const set = new LeanSet<string>()
    for (const value of values) set.add(value)
    for (const value of set) set.delete(value)
    t.equal(set.size, 0)
  }
})
