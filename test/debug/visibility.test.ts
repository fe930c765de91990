// Interface, Authentication 9: no text, no vector and no session in what belongs to nobody; no vector in what is a subject's own.
import t from 'tap'
import { isShowable } from '../../src/debug/visibility.js'

const own = (value: unknown): boolean => isShowable({ kind: 'turn.started', subject: 'anna', data: { value } })
const system = (value: unknown, sessionId?: string): boolean =>
  isShowable({ kind: 'turn.started', subject: null, data: { value }, ...(sessionId !== undefined && { sessionId }) })

t.test("a subject's own event is plain data without anything that may be a vector", async (t) => {
  for (const value of [null, undefined, 1, 'A sentence of its own.', true, [], ['a', null], [{ parts: { dense: 1 } }]])
    t.ok(own(value), JSON.stringify(value))
  for (const value of [[0.1], ['a', 1], new Float32Array(2), { a: [{ b: [1] }] }, new Map(), () => 1, Symbol('a'), 1n])
    t.notOk(own(value), typeof value)
  t.notOk(own([{ parts: { dense: {} } }]), 'too deep')
})

t.test('an event of nobody has names and numbers alone, and no session', async (t) => {
  for (const value of [null, 1, false, 'storage:redis', 'a'.repeat(64)]) t.ok(system(value), String(value))
  for (const value of ['a sentence', '', 'a'.repeat(65), {}, [], undefined]) t.notOk(system(value), JSON.stringify(value))
  t.notOk(system(1, 's'))
})
