import t from 'tap'
import { createExchanges } from '../../src/retrieval/exchanges.js'
import { memoryEntry } from '../support/memories.js'

t.test('answers are found by their questions until they or all exchanges are taken out', (t) => {
  const exchanges = createExchanges()
  const answers = [1, 2].map((seq) => memoryEntry(seq, `answer ${String(seq)}`, { replyTo: ['question'] }).memory)
  for (const answer of answers) exchanges.add(answer)
  t.same([...exchanges.answersOf('question')], ['m1', 'm2'])
  for (const answer of answers.slice(0, 1)) exchanges.remove(answer)
  t.same([...exchanges.answersOf('question')], ['m2'])
  t.same([...exchanges.answersOf('another')], [])
  t.notOk(exchanges.isEmpty())
  exchanges.clear()
  t.ok(exchanges.isEmpty())
  t.same([...exchanges.answersOf('question')], [])
  t.end()
})
