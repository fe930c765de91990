import t from 'tap'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { topicalTerms } from '../../../src/domain/words/topicless-words.js'

t.test('small talk has no topical terms, a topic keeps its own, once each', async (t) => {
  t.same(topicalTerms(contentTerms('Wow, that sounds really great, thanks!')), [])
  t.same(topicalTerms(contentTerms('Das klingt wirklich toll, danke und ich finde es gut')), ['klingt'])
  t.same(topicalTerms(['index', 'index', 'tabl']), ['index', 'tabl'])
})
