// Memories that expire while their session is put away, against the real service.
import t from 'tap'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createManualClock } from '../../support/manual-clock.js'
import { type Answer, type AnswerBody, startService } from '../../support/real-service.js'

t.test('what expired while its session was put away is in no answer once it is back, and weighs on none', async (t) => {
  const clock = createManualClock()
  const overrides = { clock, storage: createMemoryStorage({ retains: true }) }
  const alice = await (await startService(t, { env: { SERVICE_MAX_SESSIONS: '1' }, overrides })).as('alice')
  const asked = { session_id: 's', message: 'Which port does the server listen on?', idempotency_key: 'k' }
  await alice.post('/v1/session/create', { session_id: 's' })
  await alice.post('/v1/session/s/memory', { text: 'The proxy listens on port 80' })
  await alice.post('/v1/session/s/memory', { text: 'The secret server listens on port 8443', expires_at: clock.now() + 60 })
  t.match((await alice.post('/v1/run', asked)).body['context'], /secret/)
  await alice.post('/v1/session/create', { session_id: 'other' })
  await clock.advance(60_000)

  const search = () => alice.post('/v1/session/s/search', { query: 'secret server port', explain: true })
  const [kept, first] = await Promise.all([alice.post('/v1/run', asked), search()])
  t.equal(kept.status, 409)
  await clock.advance(2_000)
  const components = ({ body }: Answer) =>
    (body['results'] as AnswerBody[]).map((result) => (result['components'] as AnswerBody)['lexical'])
  t.strictSame(components(first), components(await search()))
})
