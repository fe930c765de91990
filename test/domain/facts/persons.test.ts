import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('who acts, whose it is and to whom it is done are told apart, also where one of them goes unsaid', async (t) => {
  for (const [a, b] of [
    ['How do I process refunds?', 'How do you process refunds?'],
    ['Do you have time?', 'Do I have time?'],
    ['Can my landlord sue?', 'Can my landlord sue me?'],
    ['Where is my manager?', 'Where is the manager?'],
    ['Where is my cage?', 'Where is its cage?'],
    ['Did she stop it?', 'Did she stop?'],
    ['Bin ich älter als mein Bruder?', 'Ist mein Bruder älter als ich?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'person' }, `${a} | ${b}`)
    t.same(factsDiffer(b, a), { kind: 'person' }, `${b} | ${a}`)
  }
})

t.test('who does what is said to be done may go unsaid', async (t) => {
  t.equal(factsDiffer('Where do we keep the ladder?', 'Where is the ladder kept?'), null)
  t.not(factsDiffer('Where do we keep our ladder?', 'Where is the ladder kept?'), null)
})
