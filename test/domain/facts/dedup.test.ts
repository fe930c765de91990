import fc from 'fast-check'
import t from 'tap'
import { DEDUP_CAP, type DedupCandidate, dedupSignal } from '../../../src/domain/facts/dedup.js'
import { FACT_COMPARISONS_MAX } from '../../../src/domain/limits.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { DIFFERENT } from './fact-pairs.js'

const candidate = (id: string, text: string, similarity: number): DedupCandidate => ({ id, text, similarity })

t.test('an empty session has nothing to update', async (t) => {
  t.same(inOneGo(dedupSignal('hello', [], -1)), { isUpdate: false, maxSim: 0, matchedId: null })
})

t.test('the identical text wins with similarity 1, even behind a twin that rounds higher', async (t) => {
  const known = [candidate('twin', 'i live in bonn', 1.0000002), candidate('same', 'I live in Bonn', 0.9999998)]
  t.same(inOneGo(dedupSignal('I live in Bonn', known, 0.85)), { isUpdate: true, maxSim: 1, matchedId: 'same' })
})

t.test('a paraphrase at the threshold is an update, below it is none', async (t) => {
  const known = [candidate('a', 'How can I reset my password?', 0.9)]
  t.same(inOneGo(dedupSignal('How do I reset my password?', known, 0.9)), { isUpdate: true, maxSim: 0.9, matchedId: 'a' })
  t.same(inOneGo(dedupSignal('How do I reset my password?', known, 0.91)), { isUpdate: false, maxSim: 0.9, matchedId: null })
})

t.test('texts that differ in a fact are capped, and a later one that does not wins', async (t) => {
  const known = [candidate('other', 'How do I disable 2FA?', 0.97), candidate('same', 'How can I enable 2FA?', 0.93)]
  t.same(inOneGo(dedupSignal('How do I enable 2FA?', known, 0.85)), { isUpdate: true, maxSim: 0.93, matchedId: 'same' })
  t.same(inOneGo(dedupSignal('How do I enable 2FA?', known.slice(0, 1), 0.85)), { isUpdate: false, maxSim: DEDUP_CAP, matchedId: null })
})

t.test('texts that differ in a fact are no more alike for it', async (t) => {
  const known = [candidate('other', 'How do I disable 2FA?', 0.5)]
  t.same(inOneGo(dedupSignal('How do I enable 2FA?', known, 0.6)), { isUpdate: false, maxSim: 0.5, matchedId: null })
})

t.test('no pair that differs in a fact is merged at the default threshold', async (t) => {
  for (const [a, b] of Object.values(DIFFERENT).flat()) {
    t.equal(inOneGo(dedupSignal(a, [candidate('b', b, 0.999)], 0.85)).isUpdate, false, `${a} | ${b}`)
  }
})

t.test('reading stops where no later candidate can win', async (t) => {
  const read: string[] = []
  function* lazily(): Generator<DedupCandidate> {
    for (const item of [candidate('a', 'I like tea', 0.7), candidate('b', 'I like green tea', 0.6), candidate('c', 'tea', 0.5)]) {
      read.push(item.id)
      yield item
    }
  }
  inOneGo(dedupSignal('I do like tea', lazily(), 0.85))
  t.same(read, ['a', 'b'])
})

t.test('of countless near twins no more are read than may be compared, whatever the threshold', async (t) => {
  for (const threshold of [0.85, -1]) {
    let read = 0
    function* twins(): Generator<DedupCandidate> {
      for (let number = 0; ; number++) {
        read += 1
        yield candidate(String(number), `I have ${number} cats`, 0.99)
      }
    }
    t.same(inOneGo(dedupSignal('I have no cats', twins(), threshold)), {
      isUpdate: threshold < DEDUP_CAP,
      maxSim: DEDUP_CAP,
      matchedId: threshold < DEDUP_CAP ? '0' : null
    })
    t.ok(read <= FACT_COMPARISONS_MAX + 1, `${read} were read`)
  }
})

t.test('an update is exactly what reaches the threshold, and the answer that of reading all', async () => {
  const texts = ['I have two cats', 'I have three cats', 'I have 2 cats', 'I have no cats', 'cats']
  const cosine = fc.double({ min: -1, max: 1, noNaN: true })
  const anyText = fc.constantFrom(...texts)
  const anyCandidate = fc.record({ id: fc.uuid(), text: anyText, similarity: cosine })
  fc.assert(
    fc.property(anyText, fc.array(anyCandidate, { maxLength: 12 }), cosine, (text, drawn, threshold) => {
      const found = drawn.map((one) => (one.text === text ? { ...one, similarity: 1 } : one))
      const sorted = found.sort((a, b) => b.similarity - a.similarity)
      const signal = inOneGo(dedupSignal(text, sorted, threshold))
      const singly = found.map((one) => inOneGo(dedupSignal(text, [one], threshold)).maxSim)
      const isBest = found.length === 0 || signal.maxSim === Math.max(...singly) || signal.maxSim === 1
      const isUpdate = found.length > 0 && signal.maxSim >= threshold
      return isBest && signal.isUpdate === isUpdate && (signal.matchedId !== null) === isUpdate
    })
  )
})
