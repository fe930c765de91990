/** Values shown as cosines are at most 1, although products of unit vectors in single precision often lie slightly above. */
import t from 'tap'
import { dot } from '../../src/domain/similarity/vector.js'
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'
import { type AnswerBody, startService } from '../support/real-service.js'

const WORDS = ['invoice', 'oven', 'glacier', 'tenor', 'harbour', 'ledger', 'saffron', 'comet']
const TEXTS = WORDS.flatMap((first, at) => WORDS.slice(at + 1).map((second) => `The ${first} and the ${second} belong together.`))
const DIMENSION = 64

/** Fields of the interface that are cosines, or scores computed from cosines only. */
const COSINES = new Set([
  'relevance',
  'top_similarity',
  'max_sim',
  'similarity',
  'anchor_score',
  'mean_similarity',
  'score',
  'dense',
  'fused'
])

const seen = new Map<string, number[]>()

function look(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    if (COSINES.has(name) && typeof field === 'number') seen.set(name, [...(seen.get(name) ?? []), field])
    look(field)
  }
}

t.test('cosines, of vectors whose product with themselves is above 1, never above it', async (t) => {
  const vectors = await createLexicalEmbedder().embed(TEXTS, { dimension: DIMENSION })
  const above = vectors.filter((vector) => dot(vector, vector) > 1)
  t.ok(above.length > 5, `${above.length} of ${vectors.length} are above 1`)
  const { as } = await startService(t)
  const caller = await as('alice')
  const send = async (method: 'post' | 'put', url: string, body: unknown): Promise<AnswerBody> => {
    const answer = await caller[method](url, body)
    t.ok(answer.status < 300, `${url}: ${answer.status}`)
    look(answer.body)
    return answer.body
  }
  for (const [at, text] of TEXTS.entries()) {
    const session = `s-${at}`
    const url = `/v1/session/${session}`
    const embedding = Array.from(vectors[at] ?? [])
    await send('post', '/v1/session/create', { session_id: session, dimension: DIMENSION })
    await send('post', `${url}/anchor`, { text })
    await send('post', '/v1/store', { session_id: session, response: text })
    await send('put', `${url}/isolation`, { level: 'FILTER', similarity_threshold: 1 })
    await send('post', '/v1/run', { session_id: session, message: text })
    await send('post', '/v1/dedup-check', { session_id: session, text })
    await send('post', `${url}/search`, { query: text, explain: true })
    await send('post', `${url}/search`, { embedding, explain: true })
    for (const path of [`/v1/state/context?session_id=${session}`, `${url}/anchor_score`, `/v1/metrics/${session}`])
      look((await caller.get(path)).body)
    await send('post', '/v1/network/consensus', { proposer_session_id: session, target_embedding: embedding })
  }
  for (const name of COSINES) {
    const values = seen.get(name) ?? []
    t.strictSame(
      values.filter((value) => Math.abs(value) > 1),
      [],
      `${name}, ${values.length} times`
    )
  }
  t.strictSame(
    [...COSINES].filter((name) => !seen.has(name)),
    [],
    'all of them were seen'
  )
})
