/** What a model is told about a refusal: the service's message in one line, and what to do next. */
import t from 'tap'
import { ask, CallFailure, isMissing, toFailure } from '../../../src/mcp/calls/failures.js'

const told = (status: number, body: unknown): string => toFailure({ status, body }).message

t.test('the fields that are wrong are named as the tool knows them, one after the other', async (t) => {
  const problem = (loc: readonly (string | number)[], msg: string) => ({ loc, msg, type: 'any' })
  const detail = [problem(['body', 'memories', 0, 'text'], 'is too long'), problem(['body'], 'is too large')]
  t.equal(told(422, { detail }), 'memories[0].text: is too long; is too large. Correct the argument that is named, then call again.')
})

t.test('what to do next goes by the status, and by what the service says is missing or in the way', async (t) => {
  t.match(told(404, { detail: 'Session not found.' }), /^Session not found\. Call list_sessions/)
  t.match(told(404, { detail: 'Memory not found' }), /^Memory not found\. .*list_memories/)
  t.match(told(404, { detail: 'No memory' }), /^No memory\. What was asked for does not exist\.$/)
  t.match(told(409, { detail: 'Session already exists' }), /^Session already exists\. Nothing was changed: use it as it is\.$/)
  t.match(told(409, { detail: 'Session is full' }), /forget/)
  t.match(told(500, { detail: 'Session already exists' }), /memory service failed/)
  t.match(told(429, null), /^The memory service gave no reason\. Wait 60 seconds/)
  t.match(told(0, { detail: 'The memory service was not reached' }), /not running/)
})

t.test('each status that the service answers with has a next step of its own', async (t) => {
  const next = (status: number): string => told(status, null)
  const steps = [0, 400, 401, 402, 403, 404, 409, 413, 422, 429, 503, 504].map(next)
  t.equal(new Set([...steps, next(500)]).size, 13)
  for (const step of [...steps, next(500)]) t.match(step, /^The memory service gave no reason\. \w.+\.$/)
  for (const status of [405, 415, 502]) t.equal(next(status), next(500), String(status))
})

t.test('an answer is given where it went well, and is a failure of its status where not', async (t) => {
  const { signal } = new AbortController()
  const asked = (status: number) => ask({ call: async () => ({ status, body: { status } }), signal }, { method: 'GET', path: '/' })
  for (const status of [200, 201, 299]) t.same(await asked(status), { status })
  for (const status of [0, 199, 300, 404]) await t.rejects(asked(status), { name: 'CallFailure', status })
  t.ok(isMissing(new CallFailure(404, 'gone')))
  t.notOk(isMissing(new CallFailure(403, 'no')))
  t.notOk(isMissing({ status: 404 }))
})
