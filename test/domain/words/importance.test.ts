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
