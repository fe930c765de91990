import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { tensesOf } from '../../../src/domain/facts/tenses.js'
import { readAtOnce } from '../../support/fact-reading.js'

t.test('what is possible need not be allowed, and "can" asks for either', async (t) => {
  t.same(factsDiffer('Is it possible to swim here?', 'Is it allowed to swim here?'), { kind: 'tense' })
  t.same(factsDiffer('Is he able to smoke?', 'Is he allowed to smoke?'), { kind: 'tense' })
  t.equal(factsDiffer('Can I swim here?', 'Is it allowed to swim here?'), null)
  t.equal(factsDiffer('Can I swim here?', 'Is it possible to swim here?'), null)
})

t.test('of what moves, or comes to be, German says by "ist" that it is past, and of what is done that it is a state', async (t) => {
  for (const text of ['Ist das Haus eingestürzt?', 'Wann ist das Buch erschienen?', 'Ist der Zug angekommen?'])
    t.same(tensesOf(readAtOnce(text)), ['past 1'], text)
  t.same(tensesOf(readAtOnce('Ist der Tisch gebucht?')), tensesOf(readAtOnce('Ist der Tisch gedeckt?')))
})

t.test('what has been is not what was, what somebody is at not what they do, and German keeps apart what had been', async (t) => {
  for (const [a, b] of [
    ['How long have I been a customer?', 'How long was I a customer?'],
    ['Have you visited Rome?', 'Did you visit Rome?'],
    ['What do you read?', 'What are you reading?'],
    ['Hat sie gesungen?', 'Hatte sie gesungen?'],
    ['Ist die Apotheke offen?', 'War die Apotheke offen?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'tense' }, `${a} | ${b}`)
  }
  t.equal(factsDiffer("The printer isn't working", 'The printer does not work'), null)
})

t.test('what somebody has is not what they are, now; what they had is past', async (t) => {
  for (const text of ['I have a dog', 'Does she have a dog?', 'What has Max?', 'Was hat Max?'])
    t.same(tensesOf(readAtOnce(text)), ['having'], text)
  for (const text of ['What is Max?', 'Was ist Max?']) t.same(tensesOf(readAtOnce(text)), [], text)
  for (const text of ['Who had a dog?', 'Was hat Max gekauft?']) t.same(tensesOf(readAtOnce(text)), ['past 1'], text)
})

t.test('of questions without a verb of content, what somebody does, has and is, and what was done before', async (t) => {
  for (const [a, b] of [
    ['What is Kafka?', 'What does Kafka do?'],
    ['What is Kafka?', 'What does Kafka have?'],
    ['How is Anna?', 'How does Anna do?'],
    ['What did Anna do?', 'What had Anna done?'],
    ['What did Anna have?', 'What has Anna had?'],
    ['What would you do?', 'What would you have done?'],
    ['Was war Anna?', 'Was hatte Anna?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'tense' }, `${a} | ${b}`)
  }
  t.equal(factsDiffer('Which side effects does it have?', 'What side effects does it have?'), null)
  t.equal(factsDiffer('What does Kafka do?', 'Can you tell me what Kafka does?'), null)
  t.not(factsDiffer('What is Kafka?', 'Can you tell me what Kafka does?'), null)
})
