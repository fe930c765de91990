// The chat proxy of a service without licences.
import OpenAI from 'openai'
import t from 'tap'
import { answer, completion, startChat } from '../../support/chat-upstream.js'

const QUESTION = 'Which harbour did the lighthouse keeper paint?'
const ANSWER = 'He painted the old harbour of Whitby.'

const user = (content: string) => ({ role: 'user' as const, content })

t.test('a service without licences takes any key, and all share one memory', async (t) => {
  const { post, upstream, url } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)), {
    env: { SERVICE_ALLOW_ANONYMOUS: '1' }
  })
  await (await post({ session_id: 's', messages: [user(QUESTION)] })).text()
  const other = new OpenAI({ baseURL: `${url}/compat/v1`, apiKey: 'anything', maxRetries: 0 })
  await other.chat.completions.create({ model: 'm', messages: [user(QUESTION)] }, { headers: { 'x-session-id': 's' } })
  t.equal(upstream.body(2).messages.length, 2)
})
