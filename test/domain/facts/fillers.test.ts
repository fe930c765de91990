import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('a polite word that is done to somebody, read as what is done', async (t) => {
  for (const [a, b] of [
    ['Does the firm thank the client?', 'Does the client thank the firm?'],
    ['Did Anna thank Ben?', 'Did Ben thank Anna?'],
    ['Does the dog please the owner?', 'Does the owner please the dog?'],
    ['Do I thank the host?', 'Do I please the host?'],
    ['Who thanked Laura?', 'Who did Laura thank?'],
    ['Ich danke dem Arzt', 'Ich bitte den Arzt']
  ] as const) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
  }
})

t.test('a small verb between two that have changed places, another who does it', async (t) => {
  t.same(factsDiffer('Does the house have the garden?', 'Does the garden have the house?'), { kind: 'order' })
  t.same(factsDiffer('Did the boss let the team win?', 'Did the team let the boss win?'), { kind: 'order' })
})

t.test('a filler that says what something is, read as a quality', async (t) => {
  for (const [a, b] of [
    ['Was ist eine gerade Zahl?', 'Was ist eine Zahl?'],
    ['Ist die Zahl gerade?', 'Ist die Zahl einfach?'],
    ['Die Wand ist gerade', 'Die Wand ist einfach'],
    ['Ist die Aufgabe einfach?', 'Ist die Aufgabe aktuell?']
  ] as const) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
  }
})

t.test('a filler anywhere else says nothing', async (t) => {
  for (const [a, b] of [
    ['Send me please the invoice', 'Send me the invoice'],
    ['Where is the key, thanks', 'Where is the key'],
    ['Where is the hotel located?', 'Where is the hotel?'],
    ['Kann ich bitte die Rechnung haben?', 'Kann ich die Rechnung haben?'],
    ['Wo ist Anna gerade?', 'Wo ist Anna?'],
    ['Wer ist gerade im Büro?', 'Wer ist im Büro?'],
    ['Die gerade gelieferte Ware ist nass', 'Die gelieferte Ware ist nass'],
    ['Wie kann ich einfach ein Konto anlegen?', 'Wie kann ich ein Konto anlegen?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
  }
})
