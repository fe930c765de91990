import t from 'tap'
import { withPlainArticles } from '../../../src/domain/facts/german-text.js'

t.test('prepositions stand apart from the articles that have grown together with them', async (t) => {
  for (const [joined, apart] of [
    ['am im zum zur vom beim', 'an dem in dem zu dem zu der von dem bei dem'],
    ['ins ans aufs fürs durchs ums', 'in das an das auf das für das durch das um das'],
    ['übers überm unters unterm', 'über das über dem unter das unter dem'],
    ['vors vorm hinters hinterm', 'vor das vor dem hinter das hinter dem'],
    ['zurück amt', 'zurück amt']
  ] as const)
    t.equal(withPlainArticles(joined), apart)
})
