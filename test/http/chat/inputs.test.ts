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

t.test('a message of many parts is looked through in pieces', async (t) => {
  const content = Array.from({ length: 5_120 }, () => ({ type: 'text', text: 'x' }))
  const work = inputsOf({ messages: [{ role: 'user', content }] })
  for (let pieces = 0; ; pieces++) {
    const next = work.next()
    if (next.done !== true) continue
    t.equal(pieces, 2 * 10 + 1)
    t.equal(next.value[0]?.text.length, 2 * content.length - 1)
    return
  }
})
