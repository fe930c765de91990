import t from 'tap'
import { inputsOf } from '../../../src/http/chat/inputs.js'

t.test('the messages of a chat are looked through one by one', async (t) => {
  const messages = Array.from({ length: 500 }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `It is ${String(at)}.` }))
  const work = inputsOf({ messages })
  for (let pieces = 0; ; pieces++) {
    const next = work.next()
    if (next.done !== true) continue
    t.equal(pieces, messages.length)
    t.same(next.value.at(-1), { param: 'messages[499].content', text: 'It is 499.' })
    return
  }
})
