import t from 'tap'
import { isAsking, isOpenQuestion, isPersonalQuestion } from '../../../src/domain/drift/discourse-cues.js'

t.test('questions and requests ask, statements do not', async (t) => {
  const asked = ['How are you?', 'how do i create an index', 'Hi, can you help', 'Erkläre mir das', 'wie spät ist es', 'Write a poem']
  for (const text of asked) t.ok(isAsking(text), text)
  for (const text of ['I like tea', 'Howard is here', 'see https://x.org/?q=1&r', 'Ich mag Tee']) t.notOk(isAsking(text), text)
})

t.test('a question about the other is personal, a request is not', async (t) => {
  t.ok(isPersonalQuestion('do you have pets?'))
  t.ok(isPersonalQuestion('Hast du Haustiere?'))
  for (const text of ['Can you explain joins?', 'What is a join?', 'you are right']) t.notOk(isPersonalQuestion(text), text)
})

t.test('a question near the end is open, one at the start of a long text is not', async (t) => {
  t.ok(isOpenQuestion('I have a dog. And you?'))
  t.notOk(isOpenQuestion(`What is it? ${'A long answer follows. '.repeat(40)}`))
})
