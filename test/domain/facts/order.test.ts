import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('two things side by side are something else the other way round', async (t) => {
  for (const [a, b] of [
    ['Is the race horse famous?', 'Is the horse race famous?'],
    ["Is my father's friend here?", "Is my friend's father here?"],
    ['Did she show the teacher the pupil?', 'Did she show the pupil the teacher?'],
    ['Is a square a rectangle?', 'Is a rectangle a square?'],
    ['Hat Anna Ben gesehen?', 'Hat Ben Anna gesehen?']
  ] as const) {
    t.same(factsDiffer(a, b), { kind: 'order' }, `${a} | ${b}`)
  }
})

t.test('a word that recurs stands on both sides of its neighbour', async (t) => {
  t.equal(factsDiffer('How do I tie a bow tie?', 'How can I tie a bow tie?'), null)
})
