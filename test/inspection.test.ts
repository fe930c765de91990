import { request } from 'node:http'
import t from 'tap'
import { createRedactedInspect, openInspection, type RedactedEvent } from '../src/inspection.js'
import { startService } from './support/real-service.js'

t.test('inspection: a real run, told as states and commands without any of its texts, vectors or names', async (t) => {
  const told: RedactedEvent[] = []
  const { as } = await startService(t, { overrides: { inspect: createRedactedInspect((event) => told.push(event)) } })
  const ann = await as('subject-ann')
  const embedding = Array.from({ length: 384 }, () => 0.123456)
  await ann.post('/v1/session/create', { session_id: 'session-anna', template_embedding: embedding })
  const { status } = await ann.post('/v1/run', { session_id: 'session-anna', message: 'The sesame opens at nine.', user_id: 'user-bob' })
  t.equal(status, 200)
  await ann.get('/v1/session/session-anna/memories/0123456789abcdef0123456789abcdef')
  await ann.delete('/v1/session/session-anna')

  t.ok(told.some(({ type, name }) => type === '@xstate.actor' && name?.startsWith('lifecycle ')), 'the actor of the session')
  t.ok(told.some(({ event }) => event?.type === 'step.run'), 'its commands')
  t.ok(told.some(({ snapshot }) => JSON.stringify(snapshot?.value) === '{"active":"settled"}'), 'its states')
  t.notMatch(JSON.stringify(told), /sesame|subject-ann|session-anna|user-bob|0\.123456|0123456789abcdef/)
  for (const { snapshot, event } of told) {
    if (snapshot !== undefined) t.strictSame(snapshot.context, {})
    if (event !== undefined) t.strictSame(Object.keys(event), ['type'])
  }
})

t.test('inspection: on loopback, and closed to pages of other names', async (t) => {
  const inspection = await openInspection()
  t.teardown(() => inspection.close())
  t.match(inspection.url, /^http:\/\/127\.0\.0\.1:\d+\/$/)
  t.match(await (await fetch(inspection.url)).text(), /stately\.ai\/inspect/)
  const status = await new Promise((resolve, reject) => {
    request(inspection.url, { headers: { host: 'elsewhere.example' } }, (response) => {
      resolve(response.resume().statusCode)
    })
      .on('error', reject)
      .end()
  })
  t.equal(status, 403)
})
