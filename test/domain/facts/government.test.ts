import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('a preposition that one text puts between the same words, or at its end, tells it apart', async (t) => {
  for (const [a, b] of [
    ['Who cooks the goose?', 'Who cooks for the goose?'],
    ['Wer wartet den Bus?', 'Wer wartet auf den Bus?'],
    ['When did she move?', 'When did she move in?'],
    ['Glaubst du an ihn?', 'Glaubst du ihm?'],
    ['Wer ist der Vater von Ben?', 'Wer ist der Vater und Ben?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'relation' }, `${a} | ${b}`)
  }
})

t.test('prepositions that may take each other’s place may not before a person or a unit', async (t) => {
  t.equal(factsDiffer('What is the price of the ticket?', 'What is the price for the ticket?'), null)
  t.equal(factsDiffer('Wie hoch ist der Preis von Brot?', 'Wie hoch ist der Preis für Brot?'), null)
  for (const [a, b] of [
    ['Is this a picture of me?', 'Is this a picture for me?'],
    ['What is the price of dollars?', 'What is the price in dollars?'],
    ['Kommt er zu mir?', 'Kommt er von mir?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'relation' }, `${a} | ${b}`)
  }
})

t.test('what somebody does to themselves is not what they do', async (t) => {
  t.same(factsDiffer('Wann ziehe ich um?', 'Wann ziehe ich mich um?'), { kind: 'relation' })
})

t.test('a preposition in front of what is asked for says the same as at the end', async (t) => {
  t.equal(factsDiffer('Which port does the server listen on?', 'On which port does the server listen?'), null)
})
