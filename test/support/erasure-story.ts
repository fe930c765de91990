/**
 * Shared test of erasure for all durable backends: a user is erased from live, evicted and never loaded sessions, and searched for
 * everywhere.
 */
import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import type { AuditTrails } from '../../src/ports.js'
import { type AnswerBody, type Caller, startService } from './real-service.js'

export interface Backend {
  /** Variables that select the backend. */
  readonly env: Readonly<Record<string, string>>
  /** Whether these bytes are in the backend's files, or readable by other clients of the backend. */
  readonly holds: (bytes: Buffer) => Promise<boolean>
  /** Opens the audit trails beside the service. */
  readonly openTrails: () => Promise<AuditTrails & { close(): Promise<void> }>
  /** Number of nodes that share the backend and are asked in turn. Default 1. */
  readonly nodes?: number
}

const SECRET = 'The vault behind the mirror opens with Wintermute 42'
const SECRET_ANSWER = 'Noted: the vault behind the mirror opens with Wintermute 42.'
const LONG_SECRET = `Wintermute again. ${'The mirror hangs in the long gallery of the house. '.repeat(60)}`
const QUESTION = 'When do we prune the roses?'

export const hashOf = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32)
const HASHES = [SECRET, SECRET_ANSWER, LONG_SECRET].map(hashOf)

/** Reads everything through which the interface shows a session's contents. */
async function everythingRead(caller: Caller, sessionId: string): Promise<string> {
  const path = `/v1/session/${sessionId}`
  const answers = await Promise.all([
    caller.get(`${path}/export`),
    caller.get(`${path}/memories?limit=1000`),
    caller.get(`${path}/entities`),
    caller.get(`/v1/metrics/${sessionId}`),
    caller.get(`/v1/state/context?session_id=${sessionId}&top_k=50&max_text_chars=100000`),
    caller.post(`${path}/search`, { query: 'vault mirror', top_k: 200, explain: true }),
    caller.post(`${path}/search`, { query: 'roses', filter: { user_id: 'ann' }, top_k: 200 }),
    ...HASHES.map((hash) => caller.get(`${path}/memories/${hash}`))
  ])
  return JSON.stringify(answers.map(({ body }) => body))
}

/** The memories of `ann`, as in an export. */
async function memoriesOfAnn(caller: Caller, sessionId: string): Promise<{ id: string; vectors: string }[]> {
  const { body } = await caller.get(`/v1/session/${sessionId}/export`)
  const { session } = body['state_dict'] as { session: { memories: { memory: { id: string; user_id: string | null; vectors: string } }[] } }
  return session.memories.flatMap(({ memory }) => (memory.user_id === 'ann' ? [memory] : []))
}

/**
 * A database may split values at page boundaries, so vectors are searched for in pieces. Pieces of zeros occur everywhere and are skipped.
 */
function piecesOf(vector: Buffer): Buffer[] {
  const pieces = Array.from({ length: Math.floor(vector.length / PIECE_BYTES) }, (_, at) =>
    vector.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES)
  )
  return pieces.filter((piece) => piece.filter((byte) => byte !== 0).length >= PIECE_SIGNS_MIN)
}

const PIECE_BYTES = 256
const PIECE_SIGNS_MIN = 12

async function isAnyHeld(holds: Backend['holds'], pieces: readonly Buffer[]): Promise<boolean> {
  for (const piece of pieces) if (await holds(piece)) return true
  return false
}

async function tell(caller: Caller, sessionId: string): Promise<void> {
  const run = (message: string, more: object) => caller.post('/v1/run', { session_id: sessionId, message, ...more })
  await run(QUESTION, { user_id: 'bob' })
  await caller.post('/v1/store', { session_id: sessionId, response: 'In March.' })
  await run(SECRET, { user_id: 'ann' })
  await caller.post('/v1/store', { session_id: sessionId, response: SECRET_ANSWER, user_id: 'ann' })
  await caller.post(`/v1/session/${sessionId}/memories`, {
    memories: [
      { text: LONG_SECRET, user_id: 'ann' },
      { text: 'Bob likes tulips', user_id: 'bob' }
    ]
  })
}

/** Stores only what `bob` and nobody said, for comparison. */
async function tellSpared(caller: Caller, sessionId: string): Promise<void> {
  await caller.post('/v1/run', { session_id: sessionId, message: QUESTION, user_id: 'bob' })
  await caller.post('/v1/store', { session_id: sessionId, response: 'In March.' })
  await caller.post(`/v1/session/${sessionId}/memories`, { memories: [{ text: 'Bob likes tulips', user_id: 'bob' }] })
}

/** Creates a session whose only trace of `ann` is a quarantined input. */
async function hold(caller: Caller, sessionId: string): Promise<void> {
  await caller.post('/v1/session/create', { session_id: sessionId })
  await caller.post(`/v1/session/${sessionId}/anchor`, { text: 'roses and tulips in the garden' })
  await caller.put(`/v1/session/${sessionId}/isolation`, { level: 'QUARANTINE', similarity_threshold: 0.9 })
  await caller.post('/v1/run', { session_id: sessionId, message: SECRET, user_id: 'ann' })
}

const total = (sessions: readonly (readonly unknown[])[]) => sessions.reduce((sum, memories) => sum + memories.length, 0)

export async function erasureStory(t: Test, { env: backendEnv, holds, openTrails, nodes = 1 }: Backend): Promise<void> {
  // Two active sessions at a time: of the six, four are always evicted.
  const env = { SERVICE_COMPLIANCE: '1', SERVICE_MAX_SESSIONS: '2', METRICS_USER: 'm', METRICS_PASSWORD: 'p', ...backendEnv }
  const before = await startService(t, { env, nodes })
  await tell(await before.as('alice'), 'cold')
  await before.close()

  const { as, nodes: started, logs } = await startService(t, { env, nodes })
  const [alice, eve] = [await as('alice'), await as('eve')]
  await tell(alice, 'evicted')
  await hold(alice, 'held')
  await alice.post('/v1/run', { session_id: 'of-nobody', message: 'nothing of hers' })
  for (const user_id of ['ann', 'default']) await alice.post('/v1/network/users/switch', { user_id })
  await eve.post('/v1/run', { session_id: 'cold', message: 'Words of another ann', user_id: 'ann' })
  await tellSpared(alice, 'spared')
  await tell(alice, 'live')
  await alice.post('/v1/run', { session_id: 'live', message: 'Anything to drink?', user_id: 'ann' })

  const hers = await Promise.all(['live', 'evicted', 'cold'].map((id) => memoriesOfAnn(alice, id)))
  const vectors = hers.flat().map(({ vectors: base64 }) => Buffer.from(base64, 'base64'))
  const texts = [SECRET, SECRET_ANSWER, 'Wintermute', ...HASHES, ...hers.flat().map(({ id }) => id)]
  for (const text of texts) t.ok(await holds(Buffer.from(text)), 'a text is stored before')
  for (const vector of vectors) t.ok(await isAnyHeld(holds, piecesOf(vector)), 'a vector is stored before')
  t.match(await everythingRead(alice, 'live'), 'Wintermute')

  const erased = await alice.delete('/v1/compliance/users/ann/memory')
  t.strictSame(erased, { status: 200, body: { user_id: 'ann', erased_memories: total(hers), sessions_affected: 4 } })
  for (const text of texts) t.notOk(await holds(Buffer.from(text)), 'a text is stored no more')
  for (const vector of vectors) t.notOk(await isAnyHeld(holds, piecesOf(vector)), 'a vector is stored no more')
  for (const id of ['live', 'evicted', 'cold', 'held']) {
    const read = await everythingRead(alice, id)
    for (const trace of [...texts, ...hers.flat().map(({ vectors: base64 }) => base64), '"ann"'])
      t.notOk(read.includes(trace), `${id} shows nothing`)
  }
  const authorization = `Basic ${Buffer.from('m:p').toString('base64')}`
  for (const { http } of started) t.notMatch((await http.inject({ url: '/metrics', headers: { authorization } })).body, /ann|Wintermute/)
  t.notMatch(logs.join(''), /Wintermute/)
  t.match(await everythingRead(eve, 'cold'), 'Words of another ann')

  t.equal((await alice.post('/v1/network/users/ann/serialize')).status, 404, 'a partition without sessions is gone')
  await sameAsSpared(t, alice)
  const again: AnswerBody = { user_id: 'ann', erased_memories: 0, sessions_affected: 0 }
  t.strictSame((await alice.delete('/v1/compliance/users/ann/memory')).body, again)
  t.strictSame((await (await as('nobody')).delete('/v1/compliance/users/ann/memory')).body, again)
  t.equal((await alice.post('/v1/run', { session_id: 'live', message: SECRET, user_id: 'bob' })).body['short_circuit'], false)

  const trails = await openTrails()
  t.teardown(() => trails.close())
  // 3 × 5: three entries of `tell` (one run of bob's among them), a batch of two users. Then a held input, one of bob's, the drink.
  t.strictSame(await trails.verifyAudit('alice'), { isIntact: true, entries: 3 * 5 + 1 + 2 + 1 + 4 + 1 })
  t.strictSame(await trails.verifyAudit('eve'), { isIntact: true, entries: 1 })
}

/** Verifies that the remaining session behaves as one that never met `ann`. */
async function sameAsSpared(t: Test, alice: Caller): Promise<void> {
  const test_embeddings = Array.from({ length: 8 }, (_, seed) => Array.from({ length: 384 }, (__, at) => Math.sin((seed + 1) * (at + 1))))
  for (const id of ['evicted', 'cold']) {
    const { body } = await alice.post(`/v1/session/${id}/verify`, { test_embeddings, reference_session_id: 'spared', tolerance: 1e-5 })
    t.match(body, { consistent: true, checked: 8 }, `${id} is as if she had never been there`)
  }
}
