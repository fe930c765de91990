import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('things whose names only look like forms of one are told apart', async (t) => {
  for (const [a, b] of [
    ['Was kostet Kohl?', 'Was kostet Kohle?'],
    ['Wo wohnt Simon?', 'Wo wohnt Simone?'],
    ['Was kostet ein Schal?', 'Was kostet eine Schale?'],
    ['Wie schwer ist der Ball?', 'Wie schwer ist der Ballen?'],
    ['Where is the train?', 'Where is the training?'],
    ['What is the object?', 'What is the objection?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'content' }, `${a} | ${b}`)
  }
})

t.test('forms of one word are not', async (t) => {
  for (const [a, b] of [
    ['Wie lange dauert 1 Jahr?', 'Wie lange dauern 1 Jahre?'],
    ['Wo ist das Büro des Vereins?', 'Wo ist das Büro des Vereines?'],
    ['Why does the door not squeak?', 'Why is the door not squeaking?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
  }
})
