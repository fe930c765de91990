import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('a preposition that one text puts between the same words, or at its end, tells it apart', async (t) => {
  for (const [a, b] of [
    ['Who cooks the goose?', 'Who cooks for the goose?'],
    ['Wer wartet den Bus?', 'Wer wartet auf den Bus?'],
    ['When did she move?', 'When did she move in?'],
    ['Glaubst du an ihn?', 'Glaubst du ihm?'],
    ['Er schießt auf den Bären', 'Er schießt den Bären'],
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

t.test('prepositions that may take each other’s place may so in either order, some only behind what a thing has', async (t) => {
  const inEitherOrder = (a: string, b: string) => [factsDiffer(a, b), factsDiffer(b, a)]
  for (const [a, b] of [
    ['What is the deadline of the paper?', 'What is the deadline for the paper?'],
    ['What is the address of the shop?', 'What is the address for the shop?'],
    ['Was ist die Ursache des Brandes?', 'Was ist der Grund für den Brand?']
  ] as const) {
    t.same(inEitherOrder(a, b), [null, null], `${a} | ${b}`)
  }
  t.same(inEitherOrder('What is the taste of the soup?', 'What is the taste for the soup?'), [{ kind: 'relation' }, { kind: 'relation' }])
})

t.test('what somebody does to themselves is not what they do', async (t) => {
  t.same(factsDiffer('Wann ziehe ich um?', 'Wann ziehe ich mich um?'), { kind: 'person' })
  t.same(factsDiffer('Does he cook for himself?', 'Does he cook for him?'), { kind: 'person' })
  t.same(factsDiffer('Wer zieht um?', 'Wer zieht sich um?'), { kind: 'relation' })
})

t.test('a preposition in front of what is asked for says the same as at the end', async (t) => {
  t.equal(factsDiffer('Which port does the server listen on?', 'On which port does the server listen?'), null)
})

t.test('what somebody had done, and what they had done themselves', async (t) => {
  for (const [a, b] of [
    ['She had the roof repaired', 'She had repaired the roof'],
    ['Who had the old car washed?', 'Who had washed the old car?'],
    ['They had the hall painted', 'They had painted the hall']
  ] as const) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
  }
  t.equal(factsDiffer('When has the baker repaired the roof?', 'When has the baker repaired the roof, please?'), null)
})

t.test('words that differ by an E, and names behind a title', async (t) => {
  for (const [a, b] of [
    ['What is moral?', 'What is morale?'],
    ['Is he human?', 'Is he humane?'],
    ['Do you have the address of Dr. Moore?', 'Do you have the address of Dr. Moor?'],
    ['Is this the desk of J. Clark?', 'Is this the desk of J. Clarke?']
  ] as const) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
  }
  t.equal(factsDiffer('How do I move a file?', 'How do I go about moving a file?'), null)
})

t.test('a preposition before a German question word tells it apart, though a case may replace it elsewhere', async (t) => {
  for (const [a, b] of [
    ['Wem leiht Anna das Auto?', 'Von wem leiht Anna das Auto?'],
    ['Wen fragt Anna?', 'Für wen fragt Anna?'],
    ['Wem gehört der Hund?', 'Zu wem gehört der Hund?'],
    ['Wo spielt Tom?', 'Von wo spielt Tom?'],
    ['Welchem Arzt spricht Tom zu?', 'Von welchem Arzt spricht Tom zu?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'relation' }, `${a} | ${b}`)
    t.same(factsDiffer(b, a), { kind: 'relation' }, `${b} | ${a}`)
  }
  t.equal(factsDiffer('Wie heißt der Hund von der Nachbarin?', 'Wie heißt der Hund der Nachbarin?'), null)
})
