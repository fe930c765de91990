import t from 'tap'
import { isMatch } from '../../../src/bus/workers/messages.js'

t.test('a topic is one that was subscribed to when it is the same, or differs in a last part that is open', async (t) => {
  const same = [
    ['news', 'news'],
    ['news.*', 'news.a'],
    ['news.a.*', 'news.a.b']
  ] as const
  for (const [subscribed, topic] of same) t.equal(isMatch(subscribed, topic), true, `${subscribed} ${topic}`)
  const others = [
    ['news', 'news.a'],
    ['news', 'newsletter'],
    ['newsletter', 'news'],
    ['news.*', 'news'],
    ['news.*', 'news.a.b'],
    ['news.*', 'other.a'],
    ['news*', 'newsletter'],
    ['*.news', 'a.news']
  ] as const
  for (const [subscribed, topic] of others) t.equal(isMatch(subscribed, topic), false, `${subscribed} ${topic}`)
})
