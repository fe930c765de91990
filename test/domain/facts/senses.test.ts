import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('synonyms that are none of certain things, only of these', async (t) => {
  for (const [a, b, other] of [
    ['How do I remove the SD card?', 'How do I erase the SD card?', 'account'],
    ['Wie entferne ich die Festplatte?', 'Wie lösche ich die Festplatte?', 'Nachricht'],
    ['When did they conclude the contract?', 'When did they end the contract?', 'speech'],
    ['Wie erreiche ich das Hotel?', 'Wie kontaktiere ich das Hotel?', 'Team'],
    ['Darf ich die Fliesen verlegen?', 'Darf ich die Fliesen verschieben?', 'Termine']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'opposite' }, `${a} | ${b}`)
    const elsewhere = (text: string) => text.replace(/SD card|Festplatte|contract|Hotel|Fliesen/, other)
    t.equal(factsDiffer(elsewhere(a), elsewhere(b)), null, elsewhere(a))
  }
})

t.test('synonyms as verbs, two things behind an article', async (t) => {
  t.equal(factsDiffer('How do I show hidden files?', 'How do I display hidden files?'), null)
  t.not(factsDiffer('How good is the show?', 'How good is the display?'), null)
  t.equal(factsDiffer('Can I book online?', 'Can I reserve online?'), null)
  t.not(factsDiffer('Where is the book?', 'Where is the reserve?'), null)
})
