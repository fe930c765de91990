// Export and import against the real service: round trips, and payloads that were tampered with.
import { createHash, randomUUID } from 'node:crypto'
import t from 'tap'
import { checksumOf } from '../../../actors/session/record/document.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { exported, fill, type Json, seen, type StateDict, stillService } from '../../support/filled-session.js'
import { startService } from '../../support/real-service.js'

t.test('export: an object with its format, version and checksum, twice the same', async (t) => {
  const { alice } = await stillService(t)
  await fill(alice)
  const first = await exported(alice, 's')
  t.strictSame(Object.keys(first), ['session_id', 'state_dict', 'checksum'])
  t.match(first, {
    session_id: 's',
    checksum: /^[0-9a-f]{64}$/,
    state_dict: { format: String, version: 1, checksum: first.checksum, dimension: 64 }
  })
  t.equal(inOneGo(checksumOf(first.state_dict)), first.checksum)
  t.strictSame(await exported(alice, 's'), first)
})

t.test('import into a new id: the same search results, metrics and entities, and the next runs alike', async (t) => {
  for (const settings of [{}, { use_cortex: true }, { enable_topic_switch: false }]) {
    const { alice } = await stillService(t)
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

t.test('import, verify: an export may be larger than other bodies, up to its own limit', async (t) => {
  const { as } = await startService(t, { env: { SERVICE_BODY_LIMIT_BYTES: '2048', SERVICE_IMPORT_LIMIT_BYTES: '40960' } })
  const alice = await as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 8 })
  for (let n = 0; n < 10; n++) await alice.post('/v1/run', { session_id: 's', message: `${String(n)} ${'word '.repeat(150)}` })
  const original = await exported(alice, 's')
  const bytes = JSON.stringify(original).length
  t.ok(bytes > 8_192 && bytes < 40_960, `${String(bytes)} bytes`)
  t.match(await alice.post('/v1/session/copy/import', original), { status: 200, body: { checksum: original.checksum } })
  const reference = { test_embeddings: [[1, 0, 0, 0, 0, 0, 0, 0]], state_dict: original.state_dict }
  t.match(await alice.post('/v1/session/copy/verify', reference), { status: 200, body: { consistent: true } })
  t.equal((await alice.post('/v1/run', { session_id: 's', message: 'x'.repeat(4_000) })).status, 413)
  const padded = { ...original, padding: 'x'.repeat(40_960) }
  t.match(await alice.post('/v1/session/copy/import', padded), {
    status: 413,
    body: { detail: /most 40960 bytes \(SERVICE_IMPORT_LIMIT_BYTES\)$/ }
  })
  t.equal((await alice.post('/v1/session/copy/verify', { ...reference, padding: padded.padding })).status, 413)
})

t.test('import into a session that is there: replaces all of it, also by {state_dict} alone, and again', async (t) => {
  const { alice } = await stillService(t)
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
  const { alice, as } = await stillService(t)
  await alice.post('/v1/session/create', { session_id: 's', dimension: 5 })
  const mallory = await as('mallory')
  t.match(await mallory.post('/v1/session/s/import', await exported(alice, 's')), { status: 200, body: { total_memories: 0 } })
  t.match(await mallory.post('/v1/run', { session_id: 's', message: 'mine' }), { status: 200, body: { turn: 1 } })
  t.match(await alice.get('/v1/metrics/s'), { body: { dimension: 5, interaction_count: 0 } })
})

t.test('import: what is no export is 400, as JSON or not, and no session comes of it', async (t) => {
  const { alice } = await stillService(t)
  const deep = '['.repeat(100)
  for (const body of [
    undefined,
    'null',
    '{"state_dict": ',
    'state_dict',
    '{"state_dict": {"__proto__": {}}}',
    '{"state_dict": NaN}',
    `{"state_dict": ${deep}`,
    `{"state_dict": ["${'x'.repeat(100_000)}"`,
    {},
    [],
    '5',
    '"text"',
    'true',
    { state_dict: null },
    { state_dict: 'x' },
    { state_dict: [] },
    { state_dict: {} },
    { checksum: 'x' },
    { format: 'engram.session' }
  ]) {
    const answer = await alice.post('/v1/session/new/import', body)
    t.match(answer, { status: 400, body: { detail: /^Malformed session export/ } }, `${typeof body} ${JSON.stringify(body)}`.slice(0, 60))
  }
  t.match(await alice.get('/v1/metrics/new'), { status: 404 })
  const refused = { status: 422, body: { detail: [{ loc: ['path', 'session_id'], type: 'string_pattern_mismatch' }] } }
  t.match(await alice.post('/v1/session/a%20b/import', {}), refused, 'an id that no session can have')
})

type Change = (dict: StateDict) => void
const memories =
  (change: (list: StateDict['session']['memories']) => void): Change =>
  (dict) =>
    change(dict.session.memories)
const count: Change = (dict) => void (dict['memory_count'] = dict.session.memories.length)

/** Changes a memory's text, with everything that depends on it. */
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
  'a field missing': (dict) => {
    delete (dict.session as Json)['triggers']
  },
  'a head missing': (dict) => {
    delete (dict.session as Json)['head']
  },
  'a memory missing': memories((list) => void list.pop()),
  'a memory missing, counted': (dict) => {
    dict.session.memories.splice(0, 1)
    count(dict)
  },
  'memories swapped': memories((list) => void list.reverse()),
  'a memory repeated': (dict) => {
    dict.session.memories.push(structuredClone(dict.session.memories.at(-1)!))
    count(dict)
  },
  'a memory repeated under a later seq': (dict) => {
    const last = structuredClone(dict.session.memories.at(-1)!)
    last.memory['seq'] = Number(last.memory['seq']) + 1
    dict.session.head['next_seq'] = Number(last.memory['seq']) + 1
    dict.session.memories.push(last)
    count(dict)
  },
  'a text changed': memories((list) => void (list[0]!.memory['text'] = 'Something else')),
  'a hash changed': memories((list) => void (list[0]!.memory['hash'] = '0'.repeat(32))),
  'texts swapped': memories((list) => {
    const [a, b] = [list[0]!.memory, list[1]!.memory]
    ;[a['text'], b['text']] = [b['text'], a['text']]
  }),
  'a vector cut short': memories((list) => void (list[0]!.memory['vectors'] = String(list[0]!.memory['vectors']).slice(0, -8))),
  'a vector that is no base64': memories((list) => void (list[0]!.memory['vectors'] = '***')),
  'a vector of NaN': memories(
    (list) => void (list[0]!.memory['vectors'] = Buffer.from(new Float32Array(64).fill(Number.NaN).buffer).toString('base64'))
  ),
  'a vector of another length': memories(
    (list) => void (list[0]!.memory['vectors'] = Buffer.from(new Float32Array(65).fill(0.124).buffer).toString('base64'))
  ),
  'a vector that is not of unit length': memories(
    (list) => void (list[0]!.memory['vectors'] = Buffer.from(new Float32Array(64).fill(9).buffer).toString('base64'))
  ),
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
  'a delta of more data subjects than an export names': (dict) => {
    const vector = Buffer.from(new Float32Array(64).fill(0.125).buffer).toString('base64')
    ;(dict.session as Json)['deltas'] = [{ id: randomUUID(), vector, turn: 0, users: Array.from({ length: 257 }, (_, at) => `u${at}`) }]
  },
  'a delta of a data subject with too long a name': (dict) => {
    const vector = Buffer.from(new Float32Array(64).fill(0.125).buffer).toString('base64')
    ;(dict.session as Json)['deltas'] = [{ id: randomUUID(), vector, turn: 0, users: ['u'.repeat(257)] }]
  },
  'numbers as texts': (dict) => void (dict.session.head['interaction_count'] = '5'),
  'lists as objects': (dict) => void ((dict.session as Json)['memories'] = {})
}

t.test('import of a payload that was changed: 400 and the session as before, with its checksum made to fit as well', async (t) => {
  const { alice } = await stillService(t)
  await fill(alice)
  const original = await exported(alice, 's')
  const before = await seen(alice, 's')
  for (const [name, change] of Object.entries(TAMPERED)) {
    const payload = structuredClone(original)
    change(payload.state_dict)
    const answer = await alice.post('/v1/session/s/import', payload)
    t.match(answer, { status: 400, body: { detail: /^Malformed session export/ } }, name)
    const checksum = inOneGo(checksumOf(payload.state_dict))
    const forged = { ...payload, checksum, state_dict: { ...payload.state_dict, checksum } }
    t.match(
      await alice.post('/v1/session/s/import', forged),
      { status: 400, body: { detail: /^Malformed session export/ } },
      `${name}, checksum made to fit`
    )
    t.equal((await alice.post('/v1/session/new/import', forged)).status, 400, `${name}, into a new id`)
    t.notMatch(JSON.stringify(answer.body), /roses|boiler/)
  }
  const checked = (checksum: unknown) => ({ state_dict: { ...original.state_dict, checksum } })
  for (const payload of [checked(undefined), checked(5), checked(''), { ...original, checksum: '0'.repeat(64) }]) {
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
  t.match(await alice.post('/v1/session/s/import', await exported(other, 'small')), {
    status: 400,
    body: { detail: /dimension is 8, not 384/ }
  })
  t.match(await alice.post('/v1/session/s/import', await exported(other, 'large')), {
    status: 400,
    body: { detail: /more than 3 memories/ }
  })
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 1, dimension: 384 } })
  t.match(await alice.post('/v1/session/s/import', { state_dict: 'x'.repeat(33_554_432) }), { status: 413 })
})
