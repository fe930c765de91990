import t from 'tap'
import { createRig } from '../../support/http-rig.js'

t.test('every answer is kept out of caches, which may know nothing of X-API-Key, and so is every refusal', async (t) => {
  const rig = await createRig()
  await rig.post('/v1/run', { session_id: 's', message: 'private words' })
  const token = await rig.token('alice')
  const asked: readonly [number, string, Record<string, string>][] = [
    [200, '/v1/state/context?session_id=s', { authorization: '', 'x-api-key': token }],
    [200, '/v1/state/context?session_id=s', {}],
    [200, '/openapi.json', {}],
    [200, '/docs', {}],
    [200, '/v1/health', { authorization: '' }],
    [401, '/v1/sessions', { authorization: '' }],
    [401, '/docs', { authorization: '', accept: 'text/html' }],
    [402, '/v1/sessions', { authorization: `Bearer ${await rig.token('alice', 1)}` }],
    [404, '/v1/state/context?session_id=none', {}],
    [404, '/nowhere', {}],
    [405, '/v1/run', {}],
    [422, '/v1/state/context', {}],
    [401, '/metrics', { authorization: '' }]
  ]
  for (const [status, url, headers] of asked) {
    const answer = await rig.call({ method: 'GET', url, headers })
    t.match(answer, { status, headers: { 'cache-control': 'no-store' } }, `${String(status)} ${url}`)
  }
})
