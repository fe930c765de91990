import t from 'tap'
import { keyedCaller } from '../../../src/http/contract/idempotency.js'

const shares = { holds: () => undefined, leaseRecord: () => undefined, releaseBody: () => undefined }
const alice = { subject: 'alice', id: 'r', answerShares: shares, trace: 'of alice' }
const request = { key: 'k', sessionId: 's', command: { type: 'session.store', response: 'In May.' } } as const

t.test('a request with a key is the same one each time it is sent for its subject, and goes on in its own trace and memory', async (t) => {
  const first = keyedCaller(alice, request)
  t.equal(keyedCaller({ ...alice, id: 'another', trace: null }, request).id, first.id)
  t.not(first.id, alice.id)
  t.match(first, { subject: 'alice', trace: 'of alice' })
  t.equal(first.answerShares, shares)
  t.match(keyedCaller({ subject: 'alice', id: 'r' }, request), { trace: null, answerShares: null })
})

t.test('a request of another subject, with another key or to another session is another one', async (t) => {
  const ids = [
    keyedCaller(alice, request),
    keyedCaller({ ...alice, subject: 'bob' }, request),
    keyedCaller(alice, { ...request, key: 'l' }),
    keyedCaller(alice, { ...request, sessionId: 't' }),
    keyedCaller(alice, { ...request, command: { type: 'session.store', response: 'In June.' } })
  ].map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length)
})
