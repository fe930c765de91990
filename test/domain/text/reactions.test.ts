import t from 'tap'
import { isReaction } from '../../../src/domain/text/reactions.js'

t.test('a text of words that only react is a reaction, in any language that is known, unless it asks or is long', async (t) => {
  for (const text of ['merci beaucoup', 'Gracias!', 'спасибо', 'はい', '谢谢', 'ok, grazie mille', '👍', '...'])
    t.ok(isReaction(text), text)
  for (const text of ['', ' ', 'merci?', 'merci pour le pain', 'Bäcker', 'gracias '.repeat(40)]) t.notOk(isReaction(text), text)
})
