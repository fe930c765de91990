import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('what is a name in one text only is something else', async (t) => {
  for (const [a, b] of [
    ['Do you like Turkey?', 'Do you like turkey?'],
    ['Do they sell Polish there?', 'Do they sell polish there?'],
    ['Kostet das ein Paar Euro?', 'Kostet das ein paar Euro?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'name' }, `${a} | ${b}`)
  }
})

t.test('the first word of a text has a capital anyway, and a text without capitals names nothing', async (t) => {
  t.equal(factsDiffer('On Sundays Bergen gets rain', 'Bergen gets rain on Sundays'), null)
  t.equal(factsDiffer('Does Ivan like olives?', 'does ivan like olives?'), null)
})
