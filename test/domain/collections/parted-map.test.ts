import fc from 'fast-check'
import t from 'tap'
import {
  clearAll,
  createPartedMap,
  deleteIn,
  getIn,
  hasIn,
  ONE_PART_MAX,
  type PartedMap,
  setIn,
  valuesOf
} from '../../../src/domain/collections/parted-map.js'

const FEW_MAX = 1_000

function filled(count: number): PartedMap<number> {
  const map = createPartedMap<number>()
  for (let at = 0; at < count; at++) setIn(map, `key ${at}`, at)
  return map
}

function largestPart({ parts }: PartedMap<number>): number {
  return Math.max(...parts.map((part) => part.size))
}

t.test('it answers as a map does, of few keys and of many', async (t) => {
  const step = fc.record({ key: fc.nat(FEW_MAX).map((at) => `key ${at}`), value: fc.option(fc.nat()) })
  for (const others of [0, ONE_PART_MAX - 50]) {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 300 }), (steps) => {
        const [map, plain] = [createPartedMap<number>(), new Map<string, number>()]
        for (let at = 0; at < others; at++) {
          setIn(map, `other ${at}`, -1)
          plain.set(`other ${at}`, -1)
        }
        for (const { key, value } of steps) {
          if (value === null) {
            deleteIn(map, key)
            plain.delete(key)
          } else {
            setIn(map, key, value)
            plain.set(key, value)
          }
          t.equal(getIn(map, key), plain.get(key))
          t.equal(hasIn(map, key), plain.has(key))
        }
        t.equal(map.size, plain.size)
        t.equal([...valuesOf(map)].sort().join(), [...plain.values()].sort().join())
        clearAll(map)
        t.same([map.size, ...valuesOf(map)], [0])
      }),
      { numRuns: others === 0 ? 200 : 5 }
    )
  }
})

t.test('the entries of the single part move a few at a time', async (t) => {
  const map = filled(ONE_PART_MAX + 1)
  const left = map.former?.entries
  t.equal(left?.size, ONE_PART_MAX + 1, 'none when it divides')
  let [before, moved] = [ONE_PART_MAX + 1, 0]
  for (let at = 0; map.former !== null; at++) {
    setIn(map, `another ${at}`, at)
    moved = Math.max(moved, before - (left?.size ?? 0))
    before = left?.size ?? 0
  }
  t.equal(moved, 4)
  t.equal(left?.size, 0, 'all in the end')
  t.ok(map.size < 1.3 * ONE_PART_MAX, 'soon')
  t.ok([...Array(ONE_PART_MAX + 1).keys()].every((at) => getIn(map, `key ${at}`) === at))
})

t.test('one map holds a bounded number, and then a small share: what is copied when it grows stays little', async (t) => {
  t.same([...valuesOf(filled(FEW_MAX))], [...Array(FEW_MAX).keys()], 'few are kept in the order in which they came')
  t.equal(largestPart(filled(ONE_PART_MAX)), ONE_PART_MAX)
  t.ok(largestPart(filled(ONE_PART_MAX + 1)) < 200)
  const many = filled(16 * ONE_PART_MAX)
  t.equal(many.size, 16 * ONE_PART_MAX)
  t.ok(largestPart(many) < 1_400, `${largestPart(many)} of 262,144 in one part`)
  t.equal(getIn(many, 'key 200000'), 200_000)
  t.equal(getIn(many, 'another'), undefined)
})
