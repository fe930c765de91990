import t from 'tap'
import { createRig } from '../../support/http-rig.js'

t.test('run with a session id: sends what was given and answers in the shape of the interface', async (t) => {
  const rig = await createRig()
  const body = {
    session_id: 's-1',
    message: 'hello',
    response: 'hi',
    user_id: 'u1',
    reset_context: true,
    short_circuit_threshold: 0.9,
    unknown: 1
  }
  const { status, body: answer } = await rig.post('/v1/run', body)
  t.equal(status, 200)
  t.strictSame(Object.keys(answer), [
    'session_id',
    'context',
    'top_similarity',
    'short_circuit',
    'drift_score',
    'drift_detected',
    'drift_phase',
    'dedup_signal',
    'retrieval_error',
    'phase',
    'turn',
    'isolation'
  ])
  t.strictSame(answer.dedup_signal, { is_update: false, max_sim: 0, matched_id: null })
  t.strictSame(rig.asked, [
    {
      address: { kind: 'session', subject: 'alice', id: 's-1' },
      command: { type: 'session.run', message: 'hello', resetContext: true, response: 'hi', userId: 'u1', shortCircuitThreshold: 0.9 }
    }
  ])
})

t.test('run without a session id: a UUID is minted and returned', async (t) => {
  const rig = await createRig()
  const { body } = await rig.post('/v1/run', { message: 'hello', response: null, user_id: null })
  t.match(body.session_id, /^[0-9a-f-]{36}$/)
  t.equal(rig.asked[0]?.address.id, body.session_id)
  t.strictSame(rig.asked[0]?.command, { type: 'session.run', message: 'hello', resetContext: false })
})

t.test('store: answers ids and the dedup signal', async (t) => {
  const rig = await createRig()
  await rig.post('/v1/run', { session_id: 's', message: 'hello' })
  const { status, body } = await rig.post('/v1/store', { session_id: 's', response: 'answer', dedup_threshold: -1, user_id: 'u' })
  t.equal(status, 200)
  t.strictSame(Object.keys(body), ['session_id', 'memory_id', 'memory_hash', 'dedup_signal'])
  t.strictSame(rig.asked[1]?.command, { type: 'session.store', response: 'answer', dedupThreshold: -1, userId: 'u' })
})

t.test('dedup-check: answers the triple', async (t) => {
  const rig = await createRig()
  await rig.post('/v1/run', { session_id: 's', message: 'hello' })
  const { body } = await rig.post('/v1/dedup-check', { session_id: 's', text: 'x', dedup_threshold: 0.5 })
  t.strictSame(body, { is_update: false, max_sim: 0, matched_id: null })
})
