import fc from 'fast-check'
import t from 'tap'
import { DocumentWords } from '../../../src/domain/words/document-words.js'

const DOCUMENTS = 12

function listOf(words: DocumentWords, document: number): number[] {
  return Array.from({ length: words.count(document) }, (_, place) => words.at(document, place))
}

t.test('each document has its words, whatever was added and removed before', async (t) => {
  // Some lists are as long as a quarter of a block or more, so that there are several blocks.
  const numbers = fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.nat(), { maxLength: 20 }) },
    fc.integer({ min: 10_000, max: 70_000 }).map((length) => Array.from({ length }, (_, at) => length + at))
  )
  const step = fc.record({ document: fc.integer({ min: 0, max: DOCUMENTS - 1 }), numbers: fc.option(numbers, { freq: 2 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const words = new DocumentWords()
      const expected = new Map<number, readonly number[]>()
      for (const { document, numbers: list } of steps) {
        if (expected.delete(document)) words.remove(document)
        if (list === null) continue
        words.add(document, list)
        expected.set(document, list)
      }
      for (let document = 0; document < DOCUMENTS; document++) {
        t.equal(words.has(document), expected.has(document))
        t.equal(listOf(words, document).join(), (expected.get(document) ?? []).join())
      }
    }),
    { numRuns: 30 }
  )
})

t.test('the words of a removed document are not left in memory, and neither is a block of removed ones', async (t) => {
  const words = new DocumentWords()
  for (let document = 0; document < 4; document++) words.add(document, [7_001 + document, 7_002 + document])
  const left = () => JSON.stringify(words, (_, value: unknown) => (value instanceof Int32Array ? [...value] : value))
  words.remove(0)
  t.notMatch(left(), '7001')
  t.match(left(), '7005')
  for (const document of [1, 2, 3]) words.remove(document)
  t.notMatch(left(), '7005')
  t.equal(words.bound, 4)
  words.clear()
  t.same(words, new DocumentWords())
})

t.test('documents that come and go take no more room than those that are there', async (t) => {
  const words = new DocumentWords()
  const numbersHeld = (): number => {
    let held = 0
    JSON.stringify(words, (_, value: unknown) => {
      if (!(value instanceof Int32Array)) return value
      held += value.length
      return null
    })
    return held
  }
  const list = Array.from({ length: 30 }, (_, at) => at)
  for (let document = 0; document < 1_000; document++) words.add(document, list)
  t.ok(numbersHeld() < 32_000 * 1.25, `${String(numbersHeld())} numbers for as few`)
  for (let turn = 0; turn < 20_000; turn++) {
    words.remove(turn % 1_000)
    words.add(turn % 1_000, list)
  }
  t.ok(numbersHeld() <= 3 * 65_536, `${String(numbersHeld())} numbers after many turns`)
  t.ok(Array.from({ length: 1_000 }, (_, document) => words.count(document)).every((count) => count === 30))
})
