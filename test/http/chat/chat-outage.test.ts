// The chat proxy while the session cannot be asked.
import t from 'tap'
import { answer, completion, startChat } from '../../support/chat-upstream.js'
import { startEmbeddingServer } from '../../support/embedding-server.js'

const QUESTION = 'Which harbour did the lighthouse keeper paint?'
const ANSWER = 'He painted the old harbour of Whitby.'

const user = (content: string) => ({ role: 'user' as const, content })

t.test('a question that the memory cannot be asked for goes on without a context', async (t) => {
  const server = await startEmbeddingServer(t)
  const env = { SERVICE_EMBEDDER: 'http', SERVICE_EMBEDDING_URL: server.url }
  const { post, upstream, alice } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)), { env })
  await alice.post('/v1/run', { session_id: 's', message: QUESTION })
  server.outage = (response) => response.writeHead(500).end()
  const messages = [user('Which colour did he take?')]
  await (await post({ session_id: 's', messages })).text()
  t.strictSame(upstream.body(1), { messages })
})
