/** Translation of names between the wire and the code, by the schema of a route. */
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createReader, createWriter } from '../../../src/http/contract/codec.js'
import { choice, optional } from '../../../src/http/contract/schemas.js'

const Window = Type.Object({
  vote_window_seconds: optional(Type.Integer()),
  top_k: Type.Optional(Type.Integer()),
  policy_vectors: optional(Type.Array(Type.Object({ embedding_of: Type.Array(Type.Number()), user_id: optional(Type.String()) })))
})

t.test('what a client sends has the names of the inside, and what it left out or set to null is not there', async (t) => {
  const read = createReader(Window)
  const embedding = [0.5, 1]
  const given = read({ vote_window_seconds: 60, top_k: 3, policy_vectors: [{ embedding_of: embedding, user_id: null }] })
  t.strictSame(given, { voteWindowS: 60, topK: 3, policyVectors: [{ embeddingOf: embedding }] })
  t.equal(given.policyVectors?.[0]?.embeddingOf, embedding, 'the list itself')
  t.strictSame(read({ vote_window_seconds: null, policy_vectors: null }), {})
})

t.test('what no schema names is no part of a command', async (t) => {
  const body = { top_k: 3, user_id: 'anna', constructor: 'x', ['__proto__']: { top_k: 9 } }
  t.strictSame(createReader(Window)(body), { topK: 3 })
})

const Answer = Type.Object({
  session_id: Type.String(),
  short_circuit_refused: Type.Optional(Type.Object({ memory_id: Type.String() })),
  dedup_signal: Type.Union([Type.Object({ is_update: Type.Boolean() }), Type.Null()]),
  trust_scores: Type.Record(Type.String(), Type.Number()),
  drift_phase: choice(['stable', 'drifted']),
  memories: Type.Array(Type.Object({ memory_hash: Type.String(), user_id: Type.Union([Type.String(), Type.Null()]) }))
})

t.test('an answer has the names of the wire, and null where there is nothing', async (t) => {
  const write = createWriter(Answer)
  const reply = {
    sessionId: 's',
    dedupSignal: null,
    trustScores: { a_b: 1, cD: 0.5 },
    driftPhase: 'stable',
    memories: [{ memoryHash: 'h', userId: null }]
  } as const
  t.strictSame(write(reply), {
    session_id: 's',
    dedup_signal: null,
    trust_scores: { a_b: 1, cD: 0.5 },
    drift_phase: 'stable',
    memories: [{ memory_hash: 'h', user_id: null }]
  })
  const refused = write({ ...reply, refused: { memoryId: 'm' }, dedupSignal: { isUpdate: true } })
  t.match(refused, { short_circuit_refused: { memory_id: 'm' }, dedup_signal: { is_update: true } })
})

t.test('an answer has no field that its schema does not name', async (t) => {
  const reply = { isUpdate: false, secret: 'of another user' }
  t.strictSame(createWriter(Type.Object({ is_update: Type.Boolean() }))(reply), { is_update: false })
})

t.test('a schema that leaves it open which names are meant is refused when it is made', async (t) => {
  const either = Type.Union([Type.Object({ one_name: Type.String() }), Type.Object({ other_name: Type.String() })])
  t.throws(() => createWriter(either), /more than one of its alternatives/)
})
