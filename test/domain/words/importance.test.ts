import fc from 'fast-check'
import t from 'tap'
import { readTextAtOnce } from '../../../src/domain/text/reading.js'
import { IMPORTANCE_MAX, IMPORTANCE_MIN, newImportance, raisedImportance } from '../../../src/domain/words/importance.js'

const importanceOf = (text: string, options: { isTriggered?: boolean; isolationShare?: number } = {}) =>
  newImportance({ reading: readTextAtOnce(text), isTriggered: false, isolationShare: 1, ...options })

t.test('a plain turn lies between the bounds, whatever it says', async () => {
  const isPlain = (importance: number) => importance >= IMPORTANCE_MIN && importance < IMPORTANCE_MAX
  fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => isPlain(importanceOf(text))))
})

t.test('a turn on which a trigger fired weighs at least 1', async () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => importanceOf(text, { isTriggered: true }) >= 1))
})

t.test('what is specific weighs more than small talk of the same length', async (t) => {
  t.ok(importanceOf('ok thanks a lot') < importanceOf('my flight is LH 423 on 3 May'))
  t.ok(importanceOf('I told her that it was good') < importanceOf('I told Anna that 12 people come'))
  t.equal(importanceOf('ok'), IMPORTANCE_MIN)
})

t.test('a turn weighs by its words, of which a number or a name counts for two, and eight give half', async (t) => {
  const of = (words: number, specifics: number, isTriggered = false) => {
    const counts = new Map(Array.from({ length: words }, (_, at) => [String(at), 1]))
    return newImportance({ reading: { counts, specifics }, isTriggered, isolationShare: 1 }).toFixed(9)
  }
  t.same([of(0, 0), of(8, 0), of(6, 1), of(0, 12)].map(Number), [0.3, 0.6, 0.6, 0.75])
  t.same([of(0, 0, true), of(6, 1, true)].map(Number), [1, 1.5])
})

t.test('an update closes half of the gap, by the share that is open', async (t) => {
  for (const [before, after] of [
    [0, 0.5],
    [0.5, 0.625],
    [1, 1.25],
    [1.5, 1.5625],
    [2, 2.5],
    [3, 3.125]
  ] as const)
    t.equal(raisedImportance(before), after)
})

t.test('isolation weighs an input down in proportion', async (t) => {
  t.equal(importanceOf('the deploy runs at noon', { isolationShare: 0.5 }), importanceOf('the deploy runs at noon') / 2)
  t.equal(importanceOf('the deploy runs at noon', { isolationShare: 0 }), 0)
})

t.test('an update raises the importance and stays bounded', async () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1000, noNaN: true }), fc.integer({ min: 1, max: 200 }), (start, updates) => {
      fc.pre(start === 0 || start > 1e-6)
      const bound = start < 1 ? 1 : 2 ** (Math.floor(Math.log2(start)) + 1)
      fc.pre(bound - start > bound * 1e-6)
      let importance = start
      for (let i = 0; i < updates; i++) {
        const raised = raisedImportance(importance)
        if (raised <= importance || raised >= bound) return false
        importance = raised
      }
      return true
    })
  )
})
