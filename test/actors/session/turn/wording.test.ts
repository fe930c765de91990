/** Repeated questions in sessions whose learned model tells nothing: each text has a vector of its own, orthogonal to all others. */
import t from 'tap'
import { answer, SERVED_WIDTH, startEmbeddingServer } from '../../../support/embedding-server.js'
import { startService } from '../../../support/real-service.js'

t.test('a question in the same words is known again though a learned model puts the two apart', async (t) => {
  const server = await startEmbeddingServer(t)
  const known = new Map<string, number>()
  const vectorOf = (text: string): number[] => {
    const axis = known.get(text) ?? known.set(text, known.size).size - 1
    return Array.from({ length: SERVED_WIDTH }, (_, at) => Number(at === axis % SERVED_WIDTH))
  }
  server.outage = (response, texts) => answer(response, texts, vectorOf)
  const { as } = await startService(t, { env: { SERVICE_EMBEDDER: 'http', SERVICE_EMBEDDING_URL: server.url }, nodes: 1 })
  const ann = await as('ann')
  /** Whether the second question is a short circuit after the first was answered. */
  async function isKnown(first: string, second: string, more: object = {}): Promise<unknown> {
    const { body } = await ann.post('/v1/run', { message: first })
    const response = 'It is as it was agreed upon.'
    return (await ann.post('/v1/run', { session_id: body['session_id'], message: second, response, ...more })).body['short_circuit']
  }
  const [asked, again] = ['How do I enable 2FA for my mail account?', 'How can I enable 2FA for my mail account?']
  t.equal(await isKnown(asked, again), true)
  t.equal(await isKnown('Wann fährt der Zug nach Kiel ab?', 'Wann fährt denn der Zug nach Kiel ab?'), true)
  t.equal(await isKnown(asked, 'How do I disable 2FA for my mail account?'), false, 'the guard compares their facts')
  t.equal(await isKnown('When do I prune the roses?', 'Which quarter of Lisbon is good with children?'), false)
  t.equal(
    await isKnown(asked, again, { short_circuit_threshold: 0.9 }),
    false,
    'above the default the vectors themselves have to be so near'
  )
  const long = 'word '.repeat(300)
  t.equal(await isKnown(`${asked} ${long}`, `${again} ${long}`), false, 'long texts are not compared')
})
