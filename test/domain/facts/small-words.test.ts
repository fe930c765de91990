import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('a small word between the same words tells two texts apart', async (t) => {
  for (const [a, b] of [
    ['Is there room for us?', 'Is there a room for us?'],
    ['Do you have time?', 'Do you have the time?'],
    ['Is there little milk left?', 'Is there a little milk left?'],
    ['Is this wine good?', 'Is the wine good?'],
    ['Can I open the window?', 'Can I open any window?'],
    ['Do I check in at 2 pm?', 'Do I check at 2 pm?'],
    ['How do I move money to my broker?', 'How do I move money for my broker?'],
    ['What is in the box?', 'What is of the box?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'relation' }, `${a} | ${b}`)
    t.same(factsDiffer(b, a), { kind: 'relation' }, `${b} | ${a}`)
  }
})

t.test('the form of one word tells apart texts that are the same but for it', async (t) => {
  for (const [a, b] of [['Is the crew ill?', 'Are the crew ill?']] as const) {
    t.same(factsDiffer(a, b), { kind: 'relation' }, `${a} | ${b}`)
  }
  t.equal(factsDiffer('How does a compass work?', 'Explain how a compass works'), null)
})

t.test('small words that may come and go tell nothing apart', async (t) => {
  for (const [a, b] of [
    ['What is the deadline of the tender?', 'What is the deadline for the tender?'],
    ['What are the indexes of the table?', 'What indexes does the table have?'],
    ['Is the bakery open on Sundays?', 'Is the bakery open Sundays?'],
    ['I know that the shop is open', 'I know the shop is open'],
    ['I have no siblings', "I don't have any siblings"],
    ['On which port does Redis listen?', 'Which port does Redis listen on?'],
    ['He sent me the photos', 'He sent the photos to me'],
    ['How do I take off the wheel?', 'How do I take the wheel off?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
  }
})
