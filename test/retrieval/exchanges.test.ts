import t from 'tap'
import { addAnswer, answersOf, createExchanges, removeAnswer } from '../../src/retrieval/exchanges.js'
import { memoryEntry } from '../support/memories.js'

t.test('answers are found by their questions until they are taken out, and then nothing is left', (t) => {
  const exchanges = createExchanges()
  const answers = [1, 2].map((seq) => memoryEntry(seq, `answer ${String(seq)}`, { replyTo: ['question'] }).memory)
  for (const answer of answers) addAnswer(exchanges, answer)
  t.same([...answersOf(exchanges, 'question')], ['m1', 'm2'])
  for (const answer of answers.slice(0, 1)) removeAnswer(exchanges, answer)
  t.same([...answersOf(exchanges, 'question')], ['m2'])
  t.same([...answersOf(exchanges, 'another')], [])
  t.equal(exchanges.size, 1)
  for (const answer of answers) removeAnswer(exchanges, answer)
  t.equal(exchanges.size, 0)
  t.same([...answersOf(exchanges, 'question')], [])
  t.end()
})
