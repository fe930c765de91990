// The network over HTTP, on a real service: every row of the interface, what it refuses, and what outlives a restart.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type AnswerBody, type Caller, finding, startService } from '../../support/real-service.js'

const DIMENSION = 64

async function startAlice(t: Test, env: Record<string, string> = {}): Promise<Caller> {
  return (await startService(t, { env })).as('alice')
}

/** Creates a session with one message, so that it has a state. */
async function talk(caller: Caller, id: string, message: string): Promise<void> {
  await caller.post('/v1/session/create', { session_id: id, dimension: DIMENSION })
  await caller.post('/v1/run', { session_id: id, message })
}

/** A session's state, as the aggregate of a cluster of which it is the only member. */
async function stateOf(caller: Caller, id: string): Promise<number[]> {
  await caller.post('/v1/cluster/', { cluster_id: `alone-${id}`, dimension: DIMENSION })
  await caller.post(`/v1/cluster/alone-${id}/members`, { session_id: id })
  const { body } = await caller.get(`/v1/cluster/alone-${id}`)
  await caller.delete(`/v1/cluster/alone-${id}`)
  return body['aggregate_vector'] as number[]
}

const cosine = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0) / Math.hypot(...a) / Math.hypot(...b)
const unit = (vector: readonly number[]) => vector.map((value) => value / Math.hypot(...vector))
const near = (a: unknown, b: number) => Math.abs(Number(a) - b) < 1e-5

interface Decision {
  readonly accepted: boolean
  readonly approval: number
  readonly votes: readonly { readonly session_id: string; readonly similarity: number; readonly weight: number }[]
  readonly trust_scores: Readonly<Record<string, number>>
}

async function propose(caller: Caller, proposer: string, target: readonly number[]): Promise<Decision> {
  const { status, body } = await caller.post('/v1/network/consensus', { proposer_session_id: proposer, target_embedding: target })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as unknown as Decision
}

t.test('transfer moves the target by the scaled difference of the states, and the source not at all', async (t) => {
  const alice = await startAlice(t)
  await talk(alice, 'from', 'The river rises in the mountains of the north.')
  await talk(alice, 'to', 'An invoice of March was paid twice.')
  const [from, to] = [await stateOf(alice, 'from'), await stateOf(alice, 'to')]
  const ids = { source_session_id: 'from', target_session_id: 'to' }
  const plain = await alice.post('/v1/network/transfer', ids)
  t.match(plain, { status: 200, body: { ...ids, applied_weight: 0.15 } })
  t.ok(near(plain.body['delta_norm'], 0.15 * Math.hypot(...from.map((value, at) => value - to[at]!))))
  t.ok(cosine(await stateOf(alice, 'to'), from) > cosine(to, from))
  t.ok(near(cosine(await stateOf(alice, 'from'), from), 1))
  t.match(await alice.post('/v1/network/transfer', { ...ids, max_weight: 0 }), { body: { delta_norm: 0, applied_weight: 0 } })
})

t.test('a transfer of what is missing or does not fit says which', async (t) => {
  const alice = await startAlice(t)
  await talk(alice, 'a', 'hello')
  await alice.post('/v1/session/create', { session_id: 'wide', dimension: 128 })
  const transfer = (source: string, target: string, more: object = {}) =>
    alice.post('/v1/network/transfer', { source_session_id: source, target_session_id: target, ...more })
  t.strictSame(await transfer('nobody', 'a'), { status: 404, body: { detail: 'Source session not found' } })
  t.strictSame(await transfer('a', 'nobody'), { status: 404, body: { detail: 'Target session not found' } })
  t.equal(finding(await transfer('a', 'a')), 'body.source_session_id: value_error')
  t.equal(finding(await transfer('wide', 'a')), 'body.source_session_id: value_error')
  t.equal(finding(await transfer('a', 'b', { max_weight: 1.1 })), 'body.max_weight: less_than_equal')
  t.equal(finding(await transfer('a b', 'a')), 'body.source_session_id: string_pattern_mismatch')
  t.equal(finding(await alice.post('/v1/network/transfer', {})), 'body.source_session_id: missing, body.target_session_id: missing')
})

t.test('consensus is the mean of the votes by trust, and moves the trust of everybody when it is accepted', async (t) => {
  const alice = await startAlice(t)
  await talk(alice, 'north', 'The river rises in the mountains of the north.')
  await talk(alice, 'south', 'The river rises in the mountains of the south.')
  await talk(alice, 'invoice', 'An invoice of March was paid twice.')
  await alice.post('/v1/session/create', { session_id: 'silent', dimension: DIMENSION })
  await alice.post('/v1/run', { session_id: 'wide', message: 'Another dimension.' })
  t.strictSame((await alice.get('/v1/network/consensus/trust')).body, {
    trust_scores: { invoice: 0.5, north: 0.5, silent: 0.5, south: 0.5, wide: 0.5 }
  })
  const states = new Map<string, number[]>()
  for (const id of ['north', 'south', 'invoice']) states.set(id, await stateOf(alice, id))
  const [north, south] = [states.get('north')!, states.get('south')!]
  const target = unit(north.map((value, at) => value + south[at]!))
  let trust: Record<string, number> = { north: 0.5, south: 0.5, invoice: 0.5, silent: 0.5 }
  for (let round = 0; round < 3; round++) {
    const { accepted, approval, votes, trust_scores } = await propose(alice, 'silent', target)
    t.strictSame(
      votes.map(({ session_id }) => session_id),
      ['invoice', 'north', 'silent', 'south'],
      'who has another dimension has no vote'
    )
    const total = Object.values(trust).reduce((sum, weight) => sum + weight, 0)
    let expected = 0
    for (const { session_id, similarity, weight } of votes) {
      const state = states.get(session_id)
      t.ok(near(similarity, state === undefined ? 0 : cosine(state, target)), 'it means nothing to one without a state')
      t.ok(near(weight, trust[session_id]!))
      expected += (weight / total) * ((1 + similarity) / 2)
    }
    t.ok(near(approval, expected))
    t.equal(accepted, true)
    trust = Object.fromEntries(
      votes.map(({ session_id, similarity, weight }) => [
        session_id,
        (1 + similarity) / 2 >= 2 / 3 ? weight + 0.1 * (1 - weight) : weight * 0.9
      ])
    )
    for (const [id, score] of Object.entries(trust)) t.ok(near(trust_scores[id], score))
    t.strictSame((await alice.get('/v1/network/consensus/trust')).body, { trust_scores })
  }
  t.ok(trust['north']! > 0.6 && trust['invoice']! < 0.4 && trust['silent']! < 0.4)
  const refused = await propose(
    alice,
    'north',
    target.map((value) => -value)
  )
  t.equal(refused.accepted, false)
  for (const [id, score] of Object.entries(trust)) t.ok(near(refused.trust_scores[id], score), 'a refused proposal moves no trust')
})

t.test('trust ends with its session', async (t) => {
  const alice = await startAlice(t)
  await talk(alice, 'a', 'The river rises in the mountains of the north.')
  const target = await stateOf(alice, 'a')
  t.ok((await propose(alice, 'a', target)).trust_scores['a']! > 0.5)
  await alice.delete('/v1/session/a')
  t.strictSame((await alice.get('/v1/network/consensus/trust')).body, { trust_scores: {} })
  await talk(alice, 'a', 'Made anew.')
  t.strictSame((await alice.get('/v1/network/consensus/trust')).body, { trust_scores: { a: 0.5 } })
})

t.test('more sessions deleted at once than one mailbox holds are all deleted', async (t) => {
  const alice = await startAlice(t)
  const ids = Array.from({ length: 150 }, (_, at) => `s${at}`)
  await talk(alice, 's0', 'The river rises in the mountains of the north.')
  t.ok((await propose(alice, 's0', await stateOf(alice, 's0'))).accepted)
  await Promise.all(ids.slice(1).map((session_id) => alice.post('/v1/session/create', { session_id, dimension: DIMENSION })))
  const answers = await Promise.all(ids.map((id) => alice.delete(`/v1/session/${id}`)))
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]))
})

t.test('a consensus of a proposer or vector that does not fit is refused', async (t) => {
  const alice = await startAlice(t)
  await talk(alice, 'a', 'hello')
  const send = (body: unknown) => alice.post('/v1/network/consensus', body)
  t.strictSame(await send({ proposer_session_id: 'nobody', target_embedding: [1] }), {
    status: 404,
    body: { detail: 'Proposer session not found' }
  })
  t.equal(finding(await send({ proposer_session_id: 'a', target_embedding: [1, 0] })), 'body.target_embedding: value_error')
  t.equal(finding(await send({ proposer_session_id: 'a', target_embedding: [] })), 'body.target_embedding: too_short')
  t.equal(finding(await send({ proposer_session_id: 'a', target_embedding: [1, 'x'] })), 'body.target_embedding.1: float_type')
  t.equal((await send('{"proposer_session_id":"a","target_embedding":[NaN]}')).status, 422)
  t.equal(finding(await send({})), 'body.proposer_session_id: missing, body.target_embedding: missing')
})

t.test('users: the first is default, switching is told, and to the active one changes nothing', async (t) => {
  const alice = await startAlice(t)
  t.strictSame(await alice.get('/v1/network/users/active'), { status: 200, body: { active_user: 'default' } })
  const change = async (user_id: unknown) => alice.post('/v1/network/users/switch', { user_id })
  t.strictSame((await change('bob')).body, { active_user: 'bob', previous_user: 'default' })
  t.strictSame((await change('bob')).body, { active_user: 'bob', previous_user: 'bob' })
  t.strictSame((await change('Zoë / 2')).body, { active_user: 'Zoë / 2', previous_user: 'bob' })
  t.strictSame((await alice.get('/v1/network/users/active')).body, { active_user: 'Zoë / 2' })
  t.equal(finding(await change('')), 'body.user_id: string_too_short')
  t.equal(finding(await change('x'.repeat(129))), 'body.user_id: string_too_long')
  t.equal((await change('x'.repeat(128))).status, 200)
  t.equal(finding(await change(7)), 'body.user_id: string_type')
})

/** Canonical JSON by its definition, without the checksum at the top level. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

t.test('a partition that is serialised has the sessions made in it, can be checked, and imported one by one', async (t) => {
  const alice = await startAlice(t)
  await talk(alice, 'first', 'made before any switch')
  await alice.post('/v1/network/users/switch', { user_id: 'bob/1' })
  await talk(alice, '__proto__', 'made for "Bob": ä, 😀')
  await talk(alice, 'second', 'made for Bob too')
  await alice.post('/v1/network/users/switch', { user_id: 'carol' })
  await alice.post('/v1/run', { session_id: 'first', message: 'used by another, and still of the first' })
  const { status, body } = await alice.post('/v1/network/users/bob%2F1/serialize')
  t.equal(status, 200)
  const { checksum, ...state } = body['state'] as AnswerBody
  t.match(body, { user_id: 'bob/1', checksum })
  const sessions = state['sessions'] as Record<string, AnswerBody>
  t.strictSame(Object.keys(sessions).sort(), ['__proto__', 'second'])
  t.match(state, { format: 'engram.partition', version: 1, user_id: 'bob/1' })
  t.equal(checksum, createHash('sha256').update(canonical(state)).digest('hex'))
  for (const [id, dict] of Object.entries(sessions))
    t.strictSame(dict, (await alice.get(`/v1/session/${id}/export`)).body['state_dict'], id)
  t.match(await alice.post('/v1/session/copy/import', { state_dict: sessions['second'] }), { status: 200, body: { total_memories: 1 } })
  t.match((await alice.post('/v1/network/users/default/serialize')).body, { state: { sessions: { first: Object } } })
  t.match(
    (await alice.post('/v1/network/users/carol/serialize')).body,
    { state: { sessions: { copy: Object } } },
    'imported while she was active'
  )
  t.strictSame(await alice.post('/v1/network/users/nobody/serialize'), { status: 404, body: { detail: 'User not found' } })
})

async function states(caller: Caller): Promise<Record<string, unknown>> {
  const { body } = await caller.get('/v1/sessions')
  return Object.fromEntries((body['sessions'] as AnswerBody[]).map((one) => [String(one['session_id']), one['state']]))
}

t.test('a switch puts the sessions of the partition away where storage keeps them, and they come back', async (t) => {
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(t.testdir(), 'sessions.db')}` }
  const service = await startService(t, { env })
  const [alice, mallory] = [await service.as('alice'), await service.as('mallory')]
  await talk(alice, 'a', 'The river rises in the mountains of the north.')
  await talk(mallory, 'm', 'hers')
  await alice.post('/v1/network/users/switch', { user_id: 'bob' })
  t.strictSame(await states(alice), { a: 'stored' })
  t.strictSame(await states(mallory), { m: 'active' }, "nobody else's")
  await talk(alice, 'b', 'Of Bob.')
  t.strictSame(await states(alice), { a: 'stored', b: 'active' })
  t.match((await alice.get('/v1/session/a/memories')).body, { memories: [{ text: /river/ }] }, 'reachable in any partition')
  t.strictSame(await states(alice), { a: 'active', b: 'active' })
  await alice.post('/v1/network/users/switch', { user_id: 'default' })
  t.strictSame(await states(alice), { a: 'active', b: 'stored' }, 'those of the partition that was left')
  t.match((await alice.get('/v1/session/b/memories')).body, { memories: [{ text: 'Of Bob.' }] })
})

t.test('users, partitions and trust outlive a restart', async (t) => {
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(t.testdir(), 'sessions.db')}` }
  const first = await startService(t, { env })
  const before = await first.as('alice')
  await before.post('/v1/network/users/switch', { user_id: 'bob' })
  await talk(before, 'b', 'Of Bob.')
  await propose(before, 'b', await stateOf(before, 'b'))
  const { body: trust } = await before.get('/v1/network/consensus/trust')
  const { body: serialised } = await before.post('/v1/network/users/bob/serialize')
  await first.service.close()
  const after = await (await startService(t, { env })).as('alice')
  t.strictSame((await after.get('/v1/network/users/active')).body, { active_user: 'bob' })
  t.strictSame((await after.get('/v1/network/consensus/trust')).body, trust)
  t.strictSame((await after.post('/v1/network/users/bob/serialize')).body, serialised)
})

t.test('a switch loses nothing where storage keeps nothing', async (t) => {
  // That of several nodes keeps it.
  const alice = await (await startService(t, { nodes: 1 })).as('alice')
  await talk(alice, 'a', 'The river rises in the mountains of the north.')
  await alice.post('/v1/network/users/switch', { user_id: 'bob' })
  t.strictSame(await states(alice), { a: 'active' })
  await alice.post('/v1/network/users/switch', { user_id: 'default' })
  t.match((await alice.get('/v1/session/a/memories')).body, { memories: [{ text: /river/ }] })
})

t.test('the network of another licence has users, sessions and trust of its own', async (t) => {
  const service = await startService(t)
  const [alice, mallory] = [await service.as('alice'), await service.as('mallory')]
  await talk(alice, 'a', 'The river rises in the mountains of the north.')
  await talk(mallory, 'm', 'The river rises in the mountains of the north.')
  await alice.post('/v1/network/users/switch', { user_id: 'bob' })
  t.strictSame((await mallory.get('/v1/network/users/active')).body, { active_user: 'default' })
  t.equal((await mallory.post('/v1/network/users/bob/serialize')).status, 404)
  const { votes, trust_scores } = await propose(mallory, 'm', await stateOf(mallory, 'm'))
  t.strictSame(
    votes.map(({ session_id }) => session_id),
    ['m']
  )
  t.strictSame(Object.keys(trust_scores), ['m'])
  t.equal(
    (await mallory.post('/v1/network/consensus', { proposer_session_id: 'a', target_embedding: await stateOf(mallory, 'm') })).status,
    404
  )
  t.match(await mallory.post('/v1/network/transfer', { source_session_id: 'a', target_session_id: 'm' }), {
    status: 404,
    body: { detail: 'Source session not found' }
  })
})

t.test('every route is refused without a licence', async (t) => {
  const { service } = await startService(t)
  const routes = [
    ['POST', '/v1/network/transfer'],
    ['POST', '/v1/network/users/switch'],
    ['GET', '/v1/network/users/active'],
    ['POST', '/v1/network/users/u/serialize'],
    ['POST', '/v1/network/consensus'],
    ['GET', '/v1/network/consensus/trust']
  ] as const
  for (const [method, url] of routes) {
    const { statusCode, body } = await service.http.inject({ method, url })
    t.strictSame([statusCode, JSON.parse(body)], [401, { detail: 'Missing license token' }], `${method} ${url}`)
  }
})
