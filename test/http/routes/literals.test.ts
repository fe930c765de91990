// The literal cache against the real service: every row of the interface's table, keys as odd as paths, values byte for byte.
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { type Answer, type AnswerBody, type Caller, finding, startService } from '../../support/real-service.js'

const ENTITIES = '/v1/session/s/entities'

/** A caller of a session `s`, and removal over a real connection: what is injected is normalised like a browser's address. */
async function start(
  t: Test
): Promise<{ alice: Caller; remove: (path: string) => Promise<Answer>; removeWith: (target: string) => Promise<Answer> }> {
  const { service, as } = await startService(t)
  const alice = await as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 16 })
  await service.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.http.server.address() as AddressInfo
  const removeWith = (path: string) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { authorization: `Bearer ${alice.token}`, connection: 'close' }
      const sent = request({ host: '127.0.0.1', port, path, method: 'DELETE', headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as AnswerBody }))
      })
      sent.on('error', reject).end()
    })
  return { alice, removeWith, remove: (path) => removeWith(`${ENTITIES}/${path}`) }
}

const ENTITY = { key: 'src/app.ts', kind: 'path', value: 'import x' }

t.test('entity: stored with its defaults, listed, replaced by the same key, removed', async (t) => {
  const { alice } = await start(t)
  const stored = await alice.post(ENTITIES, ENTITY)
  const rest = { session_id: 's', context: null, importance: 1, access_count: 0, size: 8 }
  t.strictSame(stored, { status: 201, body: { ...ENTITY, ...rest, timestamp: stored.body['timestamp'] } })
  t.type(stored.body['timestamp'], 'number')
  const replaced = await alice.post(ENTITIES, { ...ENTITY, kind: 'class', value: 'é', context: 'why', importance: 0 })
  t.match(replaced, { status: 201, body: { kind: 'class', value: 'é', context: 'why', importance: 0, size: 2 } })
  const listed = await alice.get(ENTITIES)
  t.match(listed, { status: 200, body: { session_id: 's', total: 1, entities: [{ key: 'src/app.ts', kind: 'class' }] } })
  t.strictSame(
    Object.keys((listed.body['entities'] as object[])[0] ?? {}).sort(),
    Object.keys(replaced.body)
      .filter((name) => name !== 'session_id')
      .sort()
  )
  t.match(await alice.get('/v1/metrics/s'), { body: { entity_count: 1 } })
  const removed = { session_id: 's', key: 'src/app.ts', removed: true }
  t.strictSame(await alice.delete(`${ENTITIES}/src/app.ts`), { status: 200, body: removed })
  t.strictSame(await alice.delete(`${ENTITIES}/src/app.ts`), { status: 404, body: { detail: 'Entity not found' } })
  t.match(await alice.get('/v1/metrics/s'), { body: { entity_count: 0 } })
})

t.test('entity kinds: all eight are taken, any other is 400, none at all 422', async (t) => {
  const { alice } = await start(t)
  for (const kind of ['variable', 'function', 'class', 'path', 'error', 'signature', 'constant', 'type']) {
    t.match(await alice.post(ENTITIES, { ...ENTITY, key: kind, kind }), { status: 201, body: { kind } })
  }
  for (const kind of ['', 'Function', 'functions', ' function', '__proto__', 'toString', 'a'.repeat(10_000)]) {
    const answer = await alice.post(ENTITIES, { ...ENTITY, kind })
    t.match(answer, { status: 400, body: { detail: /^Unknown entity kind/ } })
    t.notMatch(JSON.stringify(answer.body), /toString|aaaa/, 'what was sent is not quoted')
  }
  t.equal(finding(await alice.post(ENTITIES, { ...ENTITY, kind: undefined })), 'body.kind: missing')
  t.equal(finding(await alice.post(ENTITIES, { ...ENTITY, kind: 5 })), 'body.kind: string_type')
})

t.test('entity: bad input, 422 with the loc of the field', async (t) => {
  const { alice } = await start(t)
  const cases: [body: unknown, outcome: string][] = [
    [{}, 'body.key: missing, body.kind: missing, body.value: missing'],
    [{ ...ENTITY, key: '' }, 'body.key: string_too_short'],
    [{ ...ENTITY, key: 'k'.repeat(4097) }, 'body.key: string_too_long'],
    [{ ...ENTITY, key: 'a\0' }, 'body.key: value_error'],
    [{ ...ENTITY, value: '' }, 'body.value: string_too_short'],
    [{ ...ENTITY, value: null }, 'body.value: string_type'],
    [{ ...ENTITY, value: 'v'.repeat(2 * 1024 * 1024 + 1) }, 'body.value: value_error'],
    [{ ...ENTITY, context: '' }, 'body.context: string_too_short'],
    [{ ...ENTITY, importance: -0.1 }, 'body.importance: greater_than_equal'],
    [{ ...ENTITY, importance: '1' }, 'body.importance: float_type'],
    ['{"key": "a", "kind": "path", "value": "v", "importance": 1e400}', 'body.importance: finite_number'],
    ['{"key": "a", "kind": "path", "value": "\\ud800"}', 'body.value: string_unicode'],
    ['{"key": "a", "kind": "path", "value": "v", "importance": -Infinity}', 'body.importance: finite_number'],
    ['{"key": "a", "kind": "path", "__proto__": {"value": "v"}}', 'body.value: missing']
  ]
  for (const [body, outcome] of cases) t.equal(finding(await alice.post(ENTITIES, body)), outcome, JSON.stringify(body).slice(0, 60))
  t.match(await alice.get(ENTITIES), { body: { total: 0 } })
  t.match(await alice.post(ENTITIES, { ...ENTITY, value: 'v'.repeat(5_000_000) }), { status: 413 })
})

t.test('entity value: line ends, trailing blanks, unicode and a megabyte come back byte for byte', async (t) => {
  const { alice } = await start(t)
  const values = [
    'a\r\nb\r\n\r\n',
    '\tx = 1  \n  \n',
    ' ',
    '\n',
    'e\u0301 \u00e9 \ufeff \u200b \u2028 😀 \u{10ffff}',
    '"\\u0041" \\ </script> <!-- {{x}}',
    `${'line 1\r\n  \t'.repeat(100_000)}  `
  ]
  for (const [at, value] of values.entries()) {
    const key = `key ${at}`
    const size = Buffer.byteLength(value)
    t.match(await alice.post(ENTITIES, { key, kind: 'constant', value }), { status: 201, body: { size } })
    const { body } = await alice.get(`${ENTITIES}?max_results=1000`)
    const found = (body['entities'] as AnswerBody[]).find((entity) => entity['key'] === key)
    t.ok(found?.['value'] === value, `${size} bytes`)
  }
})

t.test('entities: found by words of key or value, no more than max_results, which is 1 to 1000', async (t) => {
  const { alice } = await start(t)
  for (let n = 0; n < 25; n++) await alice.post(ENTITIES, { key: `lib/part${n}.ts`, kind: 'function', value: `function render${n}() {}` })
  await alice.post(ENTITIES, { key: 'lib/users.ts', kind: 'function', value: 'function getUser(id) { return lookup(id) }' })
  const keys = async (query: string) => {
    const { status, body } = await alice.get(`${ENTITIES}${query}`)
    return [status, body['total'], (body['entities'] as AnswerBody[]).length]
  }
  t.strictSame(await keys(''), [200, 26, 20])
  t.strictSame(await keys('?q='), [200, 26, 20])
  t.strictSame(await keys('?max_results=1000'), [200, 26, 26])
  t.strictSame(await keys('?max_results=1'), [200, 26, 1])
  t.match(await alice.get(`${ENTITIES}?q=lookup`), { body: { total: 1, entities: [{ key: 'lib/users.ts' }] } })
  t.match(await alice.get(`${ENTITIES}?q=users`), { body: { total: 1, entities: [{ key: 'lib/users.ts' }] } })
  t.strictSame(await keys('?q=nothinglikeit'), [200, 0, 0])
  t.strictSame(await keys(`?q=${encodeURIComponent('\0 % .* \\ 😀')}`), [200, 0, 0])
  for (const [query, outcome] of [
    ['max_results=0', 'greater_than_equal'],
    ['max_results=1001', 'less_than_equal'],
    ['max_results=x', 'int_parsing'],
    ['max_results=', 'int_parsing']
  ]) {
    t.equal(finding(await alice.get(`${ENTITIES}?${query}`)), `query.max_results: ${outcome}`)
  }
})

t.test('entity key in a path: decoded exactly once, whatever it is made of', async (t) => {
  const { alice, remove } = await start(t)
  const cases: [path: string, key: string][] = [
    ['a/b', 'a/b'],
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['100%25', '100%'],
    ['%2525', '%25'],
    ['%25252525', '%252525'],
    ['%25%32%35', '%25'],
    ['a%20b', 'a b'],
    ['a+b', 'a+b'],
    ['%E2%98%83/%F0%9F%98%80', '☃/😀'],
    ['a%3Fb%23c%26d%3De', 'a?b#c&d=e'],
    ['..', '..'],
    ['../../x', '../../x'],
    ['%2e%2e/x', '../x'],
    ['./x', './x'],
    ['/etc/hosts', '/etc/hosts'],
    ['a//b', 'a//b'],
    ['//', '//'],
    ['a/', 'a/'],
    ['a%2F', 'a/'],
    ['a;b,c:d@e!$()*~', 'a;b,c:d@e!$()*~'],
    ['%3Akey', ':key'],
    ['__proto__', '__proto__'],
    ['entities/entities', 'entities/entities'],
    [encodeURIComponent('k'.repeat(4096)), 'k'.repeat(4096)],
    [encodeURIComponent('é'.repeat(4096)), 'é'.repeat(4096)],
    [encodeURIComponent('😀'.repeat(4096)), '😀'.repeat(4096)]
  ]
  for (const [path, key] of cases) {
    t.equal((await alice.post(ENTITIES, { key, kind: 'path', value: 'v' })).status, 201)
    t.strictSame(await remove(path), { status: 200, body: { session_id: 's', key, removed: true } }, path.slice(0, 40))
    t.match(await alice.get(ENTITIES), { body: { total: 0 } })
  }
})

t.test('entity key in a path: near misses are other keys', async (t) => {
  const { alice, remove, removeWith } = await start(t)
  for (const key of ['a/b', '100%', 'x']) await alice.post(ENTITIES, { key, kind: 'path', value: 'v' })
  for (const path of ['a%252Fb', 'a//b', 'a/b/', '/a/b', 'A/b', '100%2525', 'x%00', 'x%20', 'k'.repeat(5000)]) {
    t.strictSame(await remove(path), { status: 404, body: { detail: 'Entity not found' } }, path.slice(0, 40))
  }
  for (const path of ['100%', '%ff', '%F0%9F', '%ED%A0%80']) t.equal((await remove(path)).status, 400, path)
  t.match(await alice.get(ENTITIES), { body: { total: 3 } })
  t.match(await remove('x?q=1'), { status: 200, body: { key: 'x' } }, 'a query is no part of it')
  t.match(await removeWith(`http://example.test${ENTITIES}/a/b`), { status: 200, body: { key: 'a/b' } }, 'nor is the origin of a whole URL')
  t.match(await removeWith(`${ENTITIES}/`), { status: 405 }, 'no key at all is the collection')
})

t.test('entity key `..`: a client that shortens the path of its removal removes nothing else', async (t) => {
  const { alice, removeWith } = await start(t)
  await alice.post(ENTITIES, { key: '..', kind: 'path', value: 'v' })
  const { pathname } = new URL(`http://example.test${ENTITIES}/..`)
  t.equal(pathname, '/v1/session/s/')
  t.strictSame(await removeWith(pathname), { status: 404, body: { detail: 'Not Found' } })
  t.match(await alice.get(ENTITIES), { body: { total: 1 } })
})

t.test('entities of a session that is missing, or of another subject: 404, which says that it is the session', async (t) => {
  const { as } = await startService(t)
  const [alice, mallory] = [await as('alice'), await as('mallory')]
  await alice.post('/v1/session/create', { session_id: 's' })
  await alice.post(ENTITIES, ENTITY)
  for (const answer of [
    await mallory.post(ENTITIES, ENTITY),
    await mallory.get(ENTITIES),
    await mallory.delete(`${ENTITIES}/src/app.ts`),
    await alice.get('/v1/session/none/entities'),
    await alice.get('/v1/session/a%20b/entities')
  ]) {
    t.strictSame(answer, { status: 404, body: { detail: 'Session not found' } })
  }
  t.match(await alice.get(ENTITIES), { body: { total: 1 } })
})
