// Export, import and verify against the real service: round trips, and payloads that somebody changed.
import { createHash, randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { checksumOf } from '../../actors/session/document.js'
import { createManualClock } from '../support/manual-clock.js'
import { finding, startService, type AnswerBody, type Caller } from '../support/real-service.js'

type Json = Record<string, unknown>

interface StateDict extends Json {
  session: Json & { memories: { memory: Json; stats: Json }[]; head: Json & { settings: Json; folds: Json[] }; entities: Json[]; anchors: Json[]; triggers: Json[] }
}

interface Exported extends Json {
  session_id: string
  state_dict: StateDict
  checksum: string
}

const exported = async (caller: Caller, id: string) => (await caller.get(`/v1/session/${id}/export`)).body as unknown as Exported

/** A session `s` with something of every kind in it. */
async function fill(alice: Caller, settings: object = {}): Promise<void> {
  const axis = Array.from({ length: 64 }, (_, at) => (at === 3 ? 1 : 0))
  const policy_vectors = [{ embedding: axis, weight: 0.5, promote: false }]
  await alice.post('/v1/session/create', { session_id: 's', dimension: 64, template_embedding: axis, policy_vectors, ...settings })
  await alice.post('/v1/session/s/trigger', { keyword: 'Übergabe' })
  await alice.post('/v1/session/s/trigger', { embedding: axis, threshold: 0.9 })
  const turns = ['How do I prune roses?', 'When is the best month for it?', 'Is the Übergabe on Friday?', 'What does a heat pump cost?', 'And a gas boiler?']
  for (const [at, message] of turns.entries()) {
    const response = at === 0 ? {} : { response: `Answer ${at}: it depends on the ${turns[at - 1] ?? ''}` }
    await alice.post('/v1/run', { session_id: 's', message, user_id: `u${at % 2}`, ...response })
  }
  await alice.post('/v1/store', { session_id: 's', response: 'A gas boiler costs about 8 000 €. 😀\r\n' })
  await alice.post('/v1/session/s/memory', { text: 'The garden is 400 m².', tier: 'long_term', importance: 3, access_count: 4, expires_at: 4e9 })
  await alice.post('/v1/session/s/memories', { memories: [{ text: 'Long. '.repeat(2000), timestamp: 5.25, user_id: 'u9' }] })
  for (const key of ['a/b.ts', '%2F', 'ключ']) await alice.post('/v1/session/s/entities', { key, kind: 'path', value: `${key}\r\n\t `, context: 'c' })
  await alice.post('/v1/session/s/anchor', { text: 'gardening and heating' })
  await alice.put('/v1/session/s/isolation', { level: 'QUARANTINE', exclusion_embeddings: [axis], similarity_threshold: 0.6 })
  await alice.post('/v1/run', { session_id: 's', message: 'Quarterly earnings of Belgian banks', user_id: 'u1' })
}

/** What callers can tell about a session, apart from its id. */
async function seen(alice: Caller, id: string): Promise<Json> {
  const { session_id: _, ...metrics } = (await alice.get(`/v1/metrics/${id}`)).body
  const search = async (query: string) => (await alice.post(`/v1/session/${id}/search`, { query, top_k: 50 })).body['results']
  return {
    metrics,
    memories: (await alice.get(`/v1/session/${id}/memories?limit=1000`)).body,
    searches: [await search('roses'), await search('heat pump cost'), await search('garden')],
    context: (await alice.get(`/v1/state/context?session_id=${id}&top_k=50`)).body,
    entities: (await alice.get(`/v1/session/${id}/entities?max_results=1000`)).body['entities'],
    anchor: (await alice.get(`/v1/session/${id}/anchor_score`)).body['anchor_score']
  }
}

async function service(t: Test) {
  const clock = createManualClock()
  const { as } = await startService(t, { overrides: { clock } })
  return { clock, as, alice: await as('alice') }
}

t.test('export: an object with its format, version and checksum, twice the same', async (t) => {
  const { alice } = await service(t)
  await fill(alice)
  const first = await exported(alice, 's')
  t.strictSame(Object.keys(first), ['session_id', 'state_dict', 'checksum'])
  t.match(first, { session_id: 's', checksum: /^[0-9a-f]{64}$/, state_dict: { format: String, version: 1, checksum: first.checksum, dimension: 64 } })
  t.equal(checksumOf(first.state_dict), first.checksum)
  t.strictSame(await exported(alice, 's'), first)
})

t.test('import into a new id: the same search results, metrics and entities, and the next runs alike', async (t) => {
  for (const settings of [{}, { use_cortex: true }, { enable_topic_switch: false }]) {
    const { alice } = await service(t)
    await fill(alice, settings)
    const original = await exported(alice, 's')
    const answer = await alice.post('/v1/session/copy/import', original)
    const { total_memories } = (await alice.get('/v1/metrics/s')).body
    t.strictSame(answer, { status: 200, body: { session_id: 'copy', imported: true, total_memories, checksum: original.checksum } })
    t.strictSame(await seen(alice, 'copy'), await seen(alice, 's'))
    t.strictSame((await exported(alice, 'copy')).state_dict, original.state_dict)
    for (const level of ['QUARANTINE', 'OPEN']) {
      for (const id of ['copy', 's']) await alice.put(`/v1/session/${id}/isolation`, { level })
      for (const message of ['How do I prune roses?', 'What does a heat pump cost in winter?', 'Stock prices in Tokyo']) {
        const run = async (id: string) => ({ ...(await alice.post('/v1/run', { session_id: id, message })).body, session_id: '' })
        t.strictSame(await run('copy'), await run('s'), `${level}: ${message}`)
      }
    }
    const released = async (id: string) => (await alice.post(`/v1/session/${id}/isolation/release`)).body['released_count']
    t.ok(Number(await released('copy')) > 0)
    await released('s')
    t.strictSame((await seen(alice, 'copy'))['metrics'], (await seen(alice, 's'))['metrics'])
  }
})

t.test('import into a session that is there: replaces all of it, also by {state_dict} alone, and again', async (t) => {
  const { alice } = await service(t)
  await fill(alice)
  const before = await seen(alice, 's')
  const { state_dict } = await exported(alice, 's')
  await alice.put('/v1/session/s/isolation', { level: 'OPEN' })
  for (const message of ['Whales sleep upright.', 'Do they dream?']) await alice.post('/v1/run', { session_id: 's', message })
  await alice.delete('/v1/session/s/entities/a/b.ts')
  await alice.delete('/v1/session/s/trigger')
  for (let n = 0; n < 2; n++) t.match(await alice.post('/v1/session/s/import', { state_dict }), { status: 200, body: { imported: true } })
  t.strictSame(await seen(alice, 's'), before)
  t.notMatch(JSON.stringify((await alice.get('/v1/session/s/export')).body), /Whales/)
})

t.test('import: of an empty session, and of one that belongs to somebody else, as anybody can who has the text', async (t) => {
  const { alice, as } = await service(t)
  await alice.post('/v1/session/create', { session_id: 's', dimension: 5 })
  const mallory = await as('mallory')
  t.match(await mallory.post('/v1/session/s/import', await exported(alice, 's')), { status: 200, body: { total_memories: 0 } })
  t.match(await mallory.post('/v1/run', { session_id: 's', message: 'mine' }), { status: 200, body: { turn: 1 } })
  t.match(await alice.get('/v1/metrics/s'), { body: { dimension: 5, interaction_count: 0 } })
})

t.test('import: what is no export is 400, what is no JSON 422, and no session comes of either', async (t) => {
  const { alice } = await service(t)
  for (const body of [{}, [], '5', '"text"', 'true', { state_dict: null }, { state_dict: 'x' }, { state_dict: [] }, { state_dict: {} }, { checksum: 'x' }, { format: 'engram.session' }]) {
    const answer = await alice.post('/v1/session/new/import', body)
    t.match(answer, { status: 400, body: { detail: /^Malformed session export/ } }, JSON.stringify(body))
  }
  for (const text of ['{"state_dict": ', 'state_dict', '{"state_dict": {"__proto__": {}}}', '{"state_dict": NaN}']) {
    t.equal(finding(await alice.post('/v1/session/new/import', text)), 'body: json_invalid', text)
  }
  t.equal(finding(await alice.post('/v1/session/new/import')), 'body: missing')
  t.match(await alice.get('/v1/metrics/new'), { status: 404 })
  t.match(await alice.post('/v1/session/a%20b/import', {}), { status: 404 }, 'an id that no session can have')
})

type Change = (dict: StateDict) => void
const memories = (change: (list: StateDict['session']['memories']) => void): Change => (dict) => change(dict.session.memories)
const settle = (list: StateDict['session']['memories'], count: Json) => void (count['memory_count'] = list.length)

/** A text with all that a text has to go with. */
function retext(memory: Json, text: string): void {
  memory['text'] = text
  memory['hash'] = createHash('sha256').update(text).digest('hex').slice(0, 32)
  memory['part_ends'] = [text.length]
}

const TAMPERED: Readonly<Record<string, Change>> = {
  'another format': (dict) => void (dict['format'] = 'other'),
  'a later version': (dict) => void (dict['version'] = 2),
  'an earlier version': (dict) => void (dict['version'] = 0),
  'a version as text': (dict) => void (dict['version'] = '1'),
  'another dimension': (dict) => void (dict['dimension'] = 65),
  'another dimension throughout': (dict) => void (dict['dimension'] = dict.session.head.settings['dimension'] = 65),
  'another model': (dict) => void (dict['model_name'] = 'other'),
  'another model throughout': (dict) => void (dict['model_name'] = dict.session.head.settings['model_name'] = 'other'),
  'an unknown field': (dict) => void (dict.session['extra'] = 1),
  'a field missing': (dict) => void delete (dict.session as Json)['triggers'],
  'a head missing': (dict) => void delete (dict.session as Json)['head'],
  'a memory missing': memories((list) => void list.pop()),
  'a memory missing, counted': (dict) => {
    dict.session.memories.splice(0, 1)
    settle(dict.session.memories, dict)
  },
  'memories swapped': memories((list) => void list.reverse()),
  'a memory repeated': (dict) => {
    dict.session.memories.push(structuredClone(dict.session.memories.at(-1)!))
    settle(dict.session.memories, dict)
  },
  'a memory repeated under a later seq': (dict) => {
    const last = structuredClone(dict.session.memories.at(-1)!)
    last.memory['seq'] = Number(last.memory['seq']) + 1
    dict.session.head['next_seq'] = Number(last.memory['seq']) + 1
    dict.session.memories.push(last)
    settle(dict.session.memories, dict)
  },
  'a text changed': memories((list) => void (list[0]!.memory['text'] += '!')),
  'a hash changed': memories((list) => void (list[0]!.memory['hash'] = '0'.repeat(32))),
  'texts swapped': memories((list) => {
    const [a, b] = [list[0]!.memory, list[1]!.memory]
    ;[a['text'], b['text']] = [b['text'], a['text']]
  }),
  'a vector cut short': memories((list) => void (list[0]!.memory['vectors'] = String(list[0]!.memory['vectors']).slice(0, -8))),
  'a vector that is no base64': memories((list) => void (list[0]!.memory['vectors'] = '***')),
  'a vector of NaN': memories((list) => void (list[0]!.memory['vectors'] = Buffer.from(new Float32Array(64).fill(Number.NaN).buffer).toString('base64'))),
  'a vector of another length': memories((list) => void (list[0]!.memory['vectors'] = Buffer.from(new Float32Array(65).fill(0.124).buffer).toString('base64'))),
  'a vector that is not of unit length': memories((list) => void (list[0]!.memory['vectors'] = Buffer.from(new Float32Array(64).fill(9).buffer).toString('base64'))),
  'a tier that is none': memories((list) => void (list[0]!.memory['base_tier'] = 'eternal')),
  'a role that is none': memories((list) => void (list[0]!.memory['role'] = 'system')),
  'an importance below 0': memories((list) => void (list[0]!.stats['importance'] = -1)),
  'an importance of null': memories((list) => void (list[0]!.stats['importance'] = null)),
  'parts beyond the text': memories((list) => void (list[0]!.memory['part_ends'] = [1e6])),
  'a text with half of a surrogate pair': memories((list) => retext(list[0]!.memory, '\ud800')),
  'a text with a NUL': memories((list) => retext(list[0]!.memory, 'a\0')),
  'an answer to nothing': memories((list) => void (list[1]!.memory['reply_to'] = [randomUUID()])),
  'a fold of nothing': (dict) => void (dict.session.head.folds[0]!['memory_id'] = randomUUID()),
  'a next seq that is taken': (dict) => void (dict.session.head['next_seq'] = 1),
  'a next seq beyond counting': (dict) => void (dict.session.head['next_seq'] = 2 ** 53),
  'a trigger of nothing': (dict) => void (dict.session.triggers[0]!['keyword'] = dict.session.triggers[0]!['embedding'] = null),
  'a trigger of an empty word': (dict) => void (dict.session.triggers.find(({ keyword }) => keyword !== null)!['keyword'] = ' '),
  'an unknown isolation level': (dict) => void (dict.session.head['isolation_level'] = 'SHUT'),
  'an entity repeated': (dict) => void dict.session.entities.push(structuredClone(dict.session.entities[0]!)),
  'an entity of an unknown kind': (dict) => void (dict.session.entities[0]!['kind'] = 'poem'),
  'an anchor repeated': (dict) => void dict.session.anchors.push(structuredClone(dict.session.anchors[0]!)),
  'an anchor of another dimension': (dict) => void (dict.session.anchors[0]!['embedding'] = 'AACAPw=='),
  'numbers as texts': (dict) => void (dict.session.head['interaction_count'] = '5'),
  'lists as objects': (dict) => void (dict.session['memories'] = {} as never)
}

t.test('import of a payload that was changed: 400 and the session as before, with its checksum made to fit as well', async (t) => {
  const { alice } = await service(t)
  await fill(alice)
  const original = await exported(alice, 's')
  const before = await seen(alice, 's')
  for (const [name, change] of Object.entries(TAMPERED)) {
    const payload = structuredClone(original)
    change(payload.state_dict)
    const answer = await alice.post('/v1/session/s/import', payload)
    t.match(answer, { status: 400, body: { detail: /^Malformed session export/ } }, name)
    const checksum = checksumOf(payload.state_dict)
    const forged = { ...payload, checksum, state_dict: { ...payload.state_dict, checksum } }
    t.match(await alice.post('/v1/session/s/import', forged), { status: 400, body: { detail: /^Malformed session export/ } }, `${name}, checksum made to fit`)
    t.equal((await alice.post('/v1/session/new/import', forged)).status, 400, `${name}, into a new id`)
    t.notMatch(JSON.stringify(answer.body), /roses|boiler/)
  }
  const { checksum: _, ...without } = original.state_dict
  for (const payload of [{ state_dict: without }, { ...original, checksum: '0'.repeat(64) }, { state_dict: { ...without, checksum: 5 } }]) {
    t.match(await alice.post('/v1/session/s/import', payload), { status: 400 })
  }
  t.strictSame(await seen(alice, 's'), before)
  t.equal((await alice.get('/v1/metrics/new')).status, 404)
})

t.test('import of a session of another dimension, or larger than one may be: 400 and the session as before', async (t) => {
  const { as } = await startService(t, { env: { SERVICE_MAX_MEMORIES: '3' } })
  const alice = await as('alice')
  const other = await (await startService(t)).as('alice')
  await alice.post('/v1/run', { session_id: 's', message: 'stays' })
  await other.post('/v1/session/create', { session_id: 'small', dimension: 8 })
  await other.post('/v1/session/create', { session_id: 'large' })
  await other.post('/v1/session/large/memories', { memories: ['a', 'b', 'c', 'd'].map((text) => ({ text })) })
  t.match(await alice.post('/v1/session/s/import', await exported(other, 'small')), { status: 400, body: { detail: /dimension is 8, not 384/ } })
  t.match(await alice.post('/v1/session/s/import', await exported(other, 'large')), { status: 400, body: { detail: /more than 3 memories/ } })
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 1, dimension: 384 } })
  t.match(await alice.post('/v1/session/s/import', { state_dict: 'x'.repeat(4_200_000) }), { status: 413 })
})

t.test('verify: a session agrees with itself, its copy and its export, and differs from another', async (t) => {
  const { alice } = await service(t)
  await fill(alice)
  const original = await exported(alice, 's')
  await alice.post('/v1/session/copy/import', original)
  await alice.post('/v1/session/create', { session_id: 'other', dimension: 64 })
  await alice.post('/v1/run', { session_id: 'other', message: 'Nothing in common' })
  const test_embeddings = Array.from({ length: 5 }, (_, row) => Array.from({ length: 64 }, (_, at) => Math.sin(row * 7 + at)))
  const verify = (body: object) => alice.post('/v1/session/s/verify', { test_embeddings, ...body })
  const same = { session_id: 's', consistent: true, max_deviation: 0, tolerance: 1e-3, checked: 5 }
  t.strictSame(await verify({}), { status: 200, body: same })
  t.strictSame(await verify({ reference_session_id: 'copy', state_dict: null }), { status: 200, body: same })
  t.strictSame(await verify({ state_dict: original.state_dict, tolerance: 0 }), { status: 200, body: { ...same, tolerance: 0 } })
  const differs = await verify({ reference_session_id: 'other' })
  t.match(differs, { status: 200, body: { consistent: false } })
  t.match(await verify({ reference_session_id: 'other', tolerance: Number(differs.body['max_deviation']) }), { body: { consistent: true } })
  t.strictSame((await exported(alice, 's')).checksum, original.checksum, 'nothing changed')
})

t.test('verify: sessions that refer to themselves and to each other at once, all answered', async (t) => {
  const alice = await (await startService(t)).as('alice')
  for (const session_id of ['a', 'b']) await alice.post('/v1/session/create', { session_id, dimension: 3 })
  const verify = (id: string, reference_session_id: string) => alice.post(`/v1/session/${id}/verify`, { test_embeddings: [[1, 0, 0]], reference_session_id })
  const answers = await Promise.all([verify('a', 'a'), verify('a', 'b'), verify('b', 'a'), verify('b', 'b')])
  for (const answer of answers) t.match(answer, { status: 200, body: { consistent: true, max_deviation: 0 } })
})

t.test('verify: bad input, 422 with the loc of the field; a bad export 400; a missing reference 404', async (t) => {
  const { alice, as } = await service(t)
  await (await as('mallory')).post('/v1/session/create', { session_id: 'hers', dimension: 3 })
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  const axis = [1, 0, 0]
  const cases: [body: unknown, outcome: string][] = [
    [{}, 'body.test_embeddings: missing'],
    [{ test_embeddings: [] }, 'body.test_embeddings: too_short'],
    [{ test_embeddings: Array<unknown>(257).fill(axis) }, 'body.test_embeddings: too_long'],
    [{ test_embeddings: [axis, [1, 0]] }, 'body.test_embeddings.1: value_error'],
    [{ test_embeddings: [axis, []] }, 'body.test_embeddings.1: too_short'],
    ['{"test_embeddings": [[1, 0, 1e400]]}', 'body.test_embeddings.0.2: finite_number'],
    [{ test_embeddings: [axis], tolerance: -1e-9 }, 'body.tolerance: greater_than_equal'],
    ['{"test_embeddings": [[1, 0, 0]], "tolerance": 1e400}', 'body.tolerance: finite_number'],
    [{ test_embeddings: [axis], reference_session_id: 'a b' }, 'body.reference_session_id: string_pattern_mismatch'],
    [{ test_embeddings: [axis], reference_session_id: 's', state_dict: {} }, 'body.state_dict: value_error']
  ]
  for (const [body, outcome] of cases) t.equal(finding(await alice.post('/v1/session/s/verify', body)), outcome, JSON.stringify(body).slice(0, 60))
  for (const state_dict of [{}, [], 'x', 5, false]) {
    t.match(await alice.post('/v1/session/s/verify', { test_embeddings: [axis], state_dict }), { status: 400 }, JSON.stringify(state_dict))
  }
  for (const reference_session_id of ['none', 'hers']) {
    const answer = await alice.post('/v1/session/s/verify', { test_embeddings: [axis], reference_session_id })
    t.strictSame(answer, { status: 404, body: { detail: 'Reference session not found' } })
  }
  const missing = await alice.post('/v1/session/none/verify', { test_embeddings: [axis], reference_session_id: 's' })
  t.strictSame(missing, { status: 404, body: { detail: 'Session not found' } })
  t.match(await alice.post('/v1/session/s/verify', { test_embeddings: Array<unknown>(256).fill(axis) }), { status: 200, body: { checked: 256 } })
})

t.test('control of a session that is missing, or of another subject: 404, which says that it is the session', async (t) => {
  const { alice, as } = await service(t)
  await (await as('mallory')).post('/v1/session/create', { session_id: 's', dimension: 3 })
  const requests: [method: 'POST' | 'PUT' | 'GET' | 'DELETE', path: string, body?: AnswerBody][] = [
    ['POST', 'trigger', { keyword: 'a' }],
    ['DELETE', 'trigger'],
    ['POST', 'anchor', { text: 'a' }],
    ['GET', 'anchor_score'],
    ['PUT', 'isolation', { level: 'OPEN' }],
    ['POST', 'isolation/release'],
    ['POST', 'memory', { text: 'a' }],
    ['GET', 'export'],
    ['POST', 'verify', { test_embeddings: [[1, 0, 0]] }],
    ['POST', 'search', { query: 'a' }],
    ['GET', 'memories'],
    ['POST', 'memories', { memories: [{ text: 'a' }] }],
    ['DELETE', 'memories/abc']
  ]
  for (const [method, path, payload] of requests) {
    for (const id of ['s', 'none', 'a%2Fb', '__proto__', 'a'.repeat(129)]) {
      const answer = await alice.call({ method, url: `/v1/session/${id}/${path}`, ...(payload !== undefined && { payload }) })
      t.strictSame(answer, { status: 404, body: { detail: 'Session not found' } }, `${method} ${path} of ${id.slice(0, 20)}`)
    }
  }
})
