import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { hasOtherPlurals } from '../../../src/domain/facts/plurals.js'
import { readAtOnce } from '../../support/fact-reading.js'

t.test('one of a thing is not several', async (t) => {
  for (const [a, b] of [
    ['Do you sell glass?', 'Do you sell glasses?'],
    ['Can my child come?', 'Can my children come?'],
    ['Can my kid come?', 'Can my kids come?'],
    ['What is a race condition?', 'Can you explain race conditions?'],
    ['Hat das Kind einen Pass?', 'Haben die Kinder einen Pass?'],
    ['Wo kaufe ich ein Ticket?', 'Wo kaufe ich Tickets?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'content' }, `${a} | ${b}`)
    t.same(factsDiffer(b, a), { kind: 'content' }, `${b} | ${a}`)
  }
})

t.test('what only looks like a plural tells nothing', async (t) => {
  for (const [a, b] of [
    ['What does the fee cover?', 'Could you tell me what the fee covers?'],
    ['Do kids pay?', 'Do children pay?'],
    ['Wem gehört das Haus?', 'Wer ist der Eigentümer des Hauses?'],
    ['Wie lange dauert 1 Jahr?', 'Wie lange dauern 1 Jahre?'],
    ['Wo ist das Handy?', 'Wo ist das Mobiltelefon?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
  }
})

t.test('a word that has synonyms is another one in the plural, and its synonym is not', async (t) => {
  const differ = (a: string, b: string) => [hasOtherPlurals(readAtOnce(a), readAtOnce(b)), hasOtherPlurals(readAtOnce(b), readAtOnce(a))]
  t.same(differ('Wo ist das Handy?', 'Wo sind die Handys?'), [true, true])
  t.same(differ('Wo ist das Handy?', 'Wo ist das Mobiltelefon?'), [false, false])
})
