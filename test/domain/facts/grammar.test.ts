import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('you act, or are acted on', async (t) => {
  t.same(factsDiffer('Should we inform you?', 'Should you inform us?'), { kind: 'person' })
  t.same(factsDiffer('Is the man you work for nice?', 'Is the man who works for you nice?'), { kind: 'person' })
  t.equal(factsDiffer('Did Kim send you the file?', 'Did Kim send the file to you?'), null)
})

t.test('me is not it', async (t) => {
  t.same(factsDiffer('Is the picture for me?', 'Is the picture for it?'), { kind: 'person' })
})

t.test('what is negated in a statement is what the negation stands before', async (t) => {
  t.same(factsDiffer('He did not try to win', 'He did try not to win'), { kind: 'negation' })
  t.equal(factsDiffer("Why isn't my login working?", 'Why is my login not working?'), null)
})
