import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('what is possible need not be allowed, and "can" asks for either', async (t) => {
  t.same(factsDiffer('Is it possible to swim here?', 'Is it allowed to swim here?'), { kind: 'tense' })
  t.same(factsDiffer('Is he able to smoke?', 'Is he allowed to smoke?'), { kind: 'tense' })
  t.equal(factsDiffer('Can I swim here?', 'Is it allowed to swim here?'), null)
  t.equal(factsDiffer('Can I swim here?', 'Is it possible to swim here?'), null)
})
