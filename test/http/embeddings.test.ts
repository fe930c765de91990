// Embeddings in every route that takes one: at most as many numbers as a session may have dimensions, each within the range of a Float32.
import t from 'tap'
import type { FieldError } from '../../src/http/contract/problem.js'
import { createRig } from '../support/http-rig.js'

type Given = (embedding: readonly unknown[]) => object

const ROUTES: readonly (readonly [method: 'POST' | 'PUT', url: string, loc: readonly (string | number)[], body: Given])[] = [
  ['POST', '/v1/session/create', ['template_embedding'], (one) => ({ template_embedding: one })],
  ['POST', '/v1/session/create', ['policy_vectors', 0, 'embedding'], (one) => ({ policy_vectors: [{ embedding: one }] })],
  ['POST', '/v1/session/s/search', ['embedding'], (one) => ({ embedding: one })],
  ['POST', '/v1/session/s/trigger', ['embedding'], (one) => ({ embedding: one })],
  ['POST', '/v1/session/s/anchor', ['embedding'], (one) => ({ embedding: one })],
  ['POST', '/v1/session/s/memory', ['embedding'], (one) => ({ text: 'x', embedding: one })],
  ['POST', '/v1/session/s/verify', ['test_embeddings', 0], (one) => ({ test_embeddings: [one], reference_session_id: 'r' })],
  ['PUT', '/v1/session/s/isolation', ['exclusion_embeddings', 0], (one) => ({ level: 'FILTER', exclusion_embeddings: [one] })],
  ['PUT', '/v1/session/s/isolation', ['allowlist_embeddings', 0], (one) => ({ level: 'FILTER', allowlist_embeddings: [one] })],
  ['POST', '/v1/network/consensus', ['target_embedding'], (one) => ({ proposer_session_id: 's', target_embedding: one })]
]

/** Invalid embeddings, with the type of the finding and the index of the number at fault. */
const BAD: readonly (readonly [type: string, embedding: readonly unknown[], within: readonly number[]])[] = [
  ['too_short', [], []],
  ['too_long', Array.from({ length: 16_385 }, () => 0.5), []],
  ['less_than_equal', [0.5, 3.5e38], [1]],
  ['greater_than_equal', [-3.5e38], [0]],
  ['float_type', [0.5, '0.5'], [1]]
]

t.test('an embedding is refused where it is empty, too long, or has what is no Float32, by its field', async (t) => {
  const rig = await createRig()
  for (const [method, url, loc, body] of ROUTES) {
    for (const [type, embedding, within] of BAD) {
      const answer = await rig.call({ method, url, payload: body(embedding) })
      const name = `${url} ${loc.join('.')}: ${type}`
      t.equal(answer.status, 422, name)
      t.strictSame(
        (answer.body.detail as readonly FieldError[]).map((found) => [found.loc, found.type]),
        [[['body', ...loc, ...within], type]],
        name
      )
    }
  }
  t.same(rig.asked, [])
})

t.test('an embedding of 16,384 numbers is taken', async (t) => {
  const rig = await createRig()
  const longest = Array.from({ length: 16_384 }, () => 0.5)
  t.equal((await rig.post('/v1/session/create', { dimension: 16_384, template_embedding: longest })).status, 200)
})
