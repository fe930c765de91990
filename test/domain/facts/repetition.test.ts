import fc from 'fast-check'
import t from 'tap'
import { createFactGuard, GRADE_MAX } from '../../../src/domain/facts/fact-guard.js'
import { leastSimilarity, repetitionOf } from '../../../src/domain/facts/repetition.js'
import { SHORT_CIRCUIT_THRESHOLD } from '../../../src/domain/limits.js'
import { inOneGo } from '../../../src/domain/pieces.js'

const QUESTION = 'How do I reset my password?'

function reaches(threshold: number, similarity: number, text: string): boolean {
  return inOneGo(repetitionOf(similarity, text, createFactGuard(QUESTION))).reaches(threshold)
}

t.test('a paraphrase that belongs to the matter reaches the default threshold, and no more than its similarity above', async (t) => {
  const STEPS = 'What are the steps to reset my password?'
  t.ok(reaches(SHORT_CIRCUIT_THRESHOLD, 0.71, STEPS))
  t.notOk(reaches(SHORT_CIRCUIT_THRESHOLD + 0.001, 0.71, STEPS))
  t.ok(reaches(0.93, 0.93, 'How can I reset my password?'))
  t.notOk(reaches(0.931, 0.93, 'How can I reset my password?'))
})

t.test('a paraphrase that shares too little to belong to the matter has no more than its similarity', async (t) => {
  t.ok(reaches(0.6, 0.6, 'How can I reset my password?'))
  t.notOk(reaches(0.601, 0.6, 'How can I reset my password?'))
})

t.test('one word more is below the veto by as much as it adds; another fact is below by half', async (t) => {
  t.ok(reaches(0.5, 0.95, 'How do I reset my admin password?'))
  t.notOk(reaches(GRADE_MAX, 0.95, 'How do I reset my admin password?'))
  t.notOk(reaches(0.5, 0.49, 'How do I reset my admin password?'), 'no more than its similarity')
  t.ok(reaches(0.01, 0.95, 'How do I reset my voicemail?'))
  t.notOk(reaches(0.35, 0.95, 'How do I reset my voicemail?'))
  t.same(inOneGo(repetitionOf(0.95, 'How do I not reset my password?', createFactGuard(QUESTION))).difference, { kind: 'negation' })
})

t.test('what differs in a fact is a repetition to nobody who asks for as much as the same matter', async () => {
  const texts = fc.constantFrom('How do I reset my PIN?', 'Do I reset my password?', 'How do I reset your password?', 'When is lunch?')
  fc.assert(fc.property(fc.double({ min: -1, max: 1, noNaN: true }), texts, (similarity, text) => !reaches(GRADE_MAX, similarity, text)))
})

t.test('no text below the least similarity of a threshold reaches that threshold', async () => {
  const cosine = fc.double({ min: -1, max: 1, noNaN: true })
  const texts = fc.constantFrom(QUESTION, 'How can I reset my password?', 'How do I reset my admin password?', 'When is lunch?')
  fc.assert(
    fc.property(cosine, cosine, texts, (similarity, threshold, text) => {
      fc.pre(similarity < leastSimilarity(threshold))
      return !reaches(threshold, similarity, text)
    })
  )
})
