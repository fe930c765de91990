import t from 'tap'
import { isKeyed, keyedRequestId, keyedSessionId, keyNameOf } from '../../src/domain/request-keys.js'

const KEYED = { subject: 'alice', key: 'k', sessionId: 's' }

t.test('a request with a key has one id, whatever the order of its fields', async (t) => {
  const id = keyedRequestId(KEYED, { type: 'session.store', response: 'a', userId: 'u' })
  t.equal(id, keyedRequestId(KEYED, { userId: 'u', response: 'a', type: 'session.store' }))
  t.ok(isKeyed(id))
  t.notOk(isKeyed('00000000-0000-4000-8000-000000000001'))
})

t.test('of one command every key, session and subject has another hash, so that nobody can guess its texts without the key', (t) => {
  const hashOf = (keyed: typeof KEYED) => keyedRequestId(keyed, { type: 'session.store', response: 'a' }).split(':')[2]
  const all = [KEYED, { ...KEYED, key: 'l' }, { ...KEYED, sessionId: 'r' }, { ...KEYED, subject: 'bob' }].map(hashOf)
  t.equal(new Set(all).size, 4)
  t.end()
})

t.test('ids of one key share a name that tells other subjects, sessions and keys apart', async (t) => {
  const command = { type: 'session.store', response: 'a' }
  const name = keyNameOf(keyedRequestId(KEYED, command))
  t.equal(keyNameOf(keyedRequestId(KEYED, { ...command, response: 'b' })), name)
  t.not(keyedRequestId(KEYED, { ...command, response: 'b' }), keyedRequestId(KEYED, command))
  for (const other of [{ subject: 'bob' }, { key: 'l' }, { sessionId: 'r' }])
    t.not(keyNameOf(keyedRequestId({ ...KEYED, ...other }, command)), name)
})

t.test('what follows from a request with a key has a name of its own', async (t) => {
  const id = keyedRequestId(KEYED, { type: 'session.run' })
  t.not(keyNameOf(`${id}/session:s`), keyNameOf(id))
  t.equal(keyNameOf(`${keyedRequestId(KEYED, { type: 'other' })}/session:s`), keyNameOf(`${id}/session:s`))
  t.equal(keyNameOf('r1'), 'r1', 'without a key the id is the name')
})

t.test('the session of a run with a key is a UUID that follows from subject and key', async (t) => {
  const id = keyedSessionId({ subject: 'alice', key: 'k' })
  t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.equal(keyedSessionId({ subject: 'alice', key: 'k' }), id)
  t.not(keyedSessionId({ subject: 'bob', key: 'k' }), id)
  t.not(keyedSessionId({ subject: 'alice', key: 'l' }), id)
})
