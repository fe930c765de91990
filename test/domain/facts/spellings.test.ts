import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { isSpelledOut } from '../../../src/domain/facts/spellings.js'

t.test('a text with its umlauts written out says the same, without capitals and marks as well', async (t) => {
  for (const [marked, plain] of [
    ['Wie groß wird ein Schäferhund?', 'wie gross wird ein schaeferhund'],
    ['Wann öffnet das Café, und für wen?', 'Wann oeffnet das Café und fuer wen?'],
    ['Wie heißt der Rüde von Ülo?', 'wie heisst der ruede von uelo?']
  ] as const) {
    t.ok(isSpelledOut(marked, plain), plain)
    t.ok(isSpelledOut(plain, marked), plain)
    t.equal(factsDiffer(marked, plain), null)
  }
})

t.test('what differs in more than that is not seen to by its spelling', async (t) => {
  for (const [marked, plain] of [
    ['Wie sind die Maße vom Schrank?', 'Wie sind die Masse vom Schrank?'],
    ['Muss ich für die Buße zahlen?', 'Muss ich fuer die Busse zahlen?'],
    ['Sind -5 Grad für Rosen zu kalt?', 'Sind 5 Grad fuer Rosen zu kalt?'],
    ['Kosten 3,5 Äpfel mehr?', 'Kosten 35 Aepfel mehr?'],
    ['Wie groß ist der Bär?', 'Wie gross war der Baer?'],
    ['Wann fährt der Bus?', 'Wann fährt der Bus'],
    ['Wann geht es los?', 'wann geht es los']
  ] as const)
    t.notOk(isSpelledOut(marked, plain), plain)
})
