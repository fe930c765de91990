import fc from 'fast-check'
import t from 'tap'
import { createFactGuard, GRADE_MAX } from '../../../src/domain/facts/fact-guard.js'
import { leastSimilarity, repetitionOf } from '../../../src/domain/facts/repetition.js'
import { SHORT_CIRCUIT_THRESHOLD } from '../../../src/domain/limits.js'

const QUESTION = 'How do I reset my password?'
const degree = (similarity: number, text: string) => repetitionOf(similarity, text, createFactGuard(QUESTION)).degree

t.test('a paraphrase that belongs to the matter reaches the default threshold, and no more than its similarity above', async (t) => {
  t.equal(degree(0.71, 'What are the steps to reset my password?'), SHORT_CIRCUIT_THRESHOLD)
  t.equal(degree(0.93, 'How can I reset my password?'), 0.93)
})

t.test('a paraphrase that shares too little to belong to the matter has no more than its similarity', async (t) => {
  t.equal(degree(0.6, 'How can I reset my password?'), 0.6)
})

t.test('one word more is below the veto by as much as it adds; another fact is below by half', async (t) => {
  const [more, other] = [degree(0.95, 'How do I reset my admin password?'), degree(0.95, 'How do I reset my voicemail?')]
  t.ok(more < GRADE_MAX && more > 0.5, String(more))
  t.ok(other < 0.35 && other > 0, String(other))
  t.same(repetitionOf(0.95, 'How do I not reset my password?', createFactGuard(QUESTION)).difference, { kind: 'negation' })
})

t.test('what differs in a fact is a repetition to nobody who asks for as much as the same matter', async () => {
  const texts = fc.constantFrom('How do I reset my PIN?', 'Do I reset my password?', 'How do I reset your password?', 'When is lunch?')
  fc.assert(fc.property(fc.double({ min: -1, max: 1, noNaN: true }), texts, (similarity, text) => degree(similarity, text) < GRADE_MAX))
})

t.test('no text below the least similarity of a threshold reaches that threshold', async () => {
  const cosine = fc.double({ min: -1, max: 1, noNaN: true })
  const texts = fc.constantFrom(QUESTION, 'How can I reset my password?', 'How do I reset my admin password?', 'When is lunch?')
  fc.assert(
    fc.property(cosine, cosine, texts, (similarity, threshold, text) => {
      fc.pre(similarity < leastSimilarity(threshold))
      return degree(similarity, text) < threshold
    })
  )
})
