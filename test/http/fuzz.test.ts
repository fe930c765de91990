// Ten thousand malformed requests to all routes: none may be answered with 5xx or without the error format.
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { generateKeyPair, signLicense } from '../../src/auth/license-signing.js'
import { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createService } from '../../src/service.js'
import { anyCharacter } from '../support/any-text.js'

const SEED = 20_260_101
const RUNS = 10_000

const { publicKey, privateKey } = generateKeyPair()
const token = await signLicense({ privateKey, subject: 'alice', clock: createSystemClock() })
const config = readConfig({
  SERVICE_LICENSE_PUBLIC_KEY: publicKey,
  SERVICE_EMBEDDER: 'lexical',
  SERVICE_RATE_LIMIT_PER_MINUTE: '0',
  SERVICE_LOG_LEVEL: 'error',
  METRICS_USER: 'scraper',
  METRICS_PASSWORD: 'password'
})
const logs: string[] = []
const service = await createService(config, { logDestination: { write: (line) => void logs.push(line) } })
await service.start()
t.teardown(() => service.close())
const authorization = `Bearer ${token}`
await service.http.inject({ method: 'POST', url: '/v1/run', headers: { authorization }, payload: { session_id: 's', message: 'hello' } })

const schema = await service.http.inject({ method: 'GET', url: '/openapi.json', headers: { authorization } })
const document = schema.json<{
  paths: Record<string, Record<string, { requestBody?: object; responses: object }>>
  components: { schemas: Record<string, { properties?: object }> }
}>()
// Without the two pages, which are large and take no input, and without the chat proxy, which has an error format and a test of its own.
const routes = Object.entries(document.paths)
  .filter(([path]) => path !== '/docs' && path !== '/redoc' && !path.startsWith('/compat/'))
  .flatMap(([path, operations]) => Object.keys(operations).map((method) => ({ path, method: method.toUpperCase() })))

/** Every field of every body, and names of built-in properties of objects. */
const schemas = document.components.schemas
const FIELDS = [
  ...new Set(Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties))),
  ...['__proto__', 'constructor', 'prototype', 'toString', 'length', '']
]

const odd = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -0,
  -1,
  0.5,
  1e308,
  -1e39,
  2 ** 53,
  '',
  ' ',
  's',
  '\0',
  '\ud800',
  '../..',
  '%00',
  '😀',
  'NaN',
  'a'.repeat(129),
  [],
  {},
  [null],
  [[]],
  [1e39],
  { embedding: 5 },
  { role: 'x' }
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  odd,
  odd,
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.double(), { maxLength: 5 }),
  fc.string({ unit: anyCharacter, maxLength: 12 })
)
const object = fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FIELDS) }, { weight: 1, arbitrary: fc.string() }), value, {
  maxKeys: 6
})
const json = fc.oneof({ weight: 6, arbitrary: object }, { weight: 1, arbitrary: value }).map((content) => JSON.stringify(content))
const broken = fc
  .tuple(json, fc.nat(), fc.string({ maxLength: 4 }))
  .map(([text, at, junk]) => text.slice(0, at % (text.length + 1)) + junk + text.slice((at % (text.length + 1)) + 1))
const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array))
const payload = fc.oneof({ weight: 6, arbitrary: json }, { weight: 3, arbitrary: broken }, { weight: 1, arbitrary: bytes })

const segment = fc.oneof(
  fc.constantFrom(
    's',
    'S',
    '%00',
    '%ZZ',
    '%F0%9F',
    '..',
    '%2e%2e',
    '%2F',
    '*',
    ':session_id',
    'a'.repeat(129),
    'a'.repeat(3000),
    '__proto__',
    ''
  ),
  fc.string({ maxLength: 20 }).map(encodeURIComponent)
)
/** Sends a request that creates what the routes need, so that a single field can be what is wrong. */
const post = async (url: string, payload: object) =>
  (await service.http.inject({ method: 'POST', url, headers: { authorization }, payload })).json<Record<string, string>>()
const { cluster_id = '' } = await post('/v1/cluster/', {})
const { region_id = '' } = await post('/v1/region/', {})
const { memory_hash = '' } = await post('/v1/session/s/memory', { text: 'kept', pinned: true })
const NAMES: Readonly<Record<string, string>> = { session_id: 's', cluster_id, region_id, memory_hash, key: 'a', user_id: 'u' }
const axis = Array.from({ length: 384 }, (_, at) => (at === 0 ? 1 : 0))
const exported = await service.http.inject({ method: 'GET', url: '/v1/session/s/export', headers: { authorization } })
await post('/v1/session/create', { session_id: 'other' })
const VALID: Readonly<Record<string, object>> = {
  'POST /v1/run': { session_id: 's', message: 'hello' },
  'POST /v1/store': { session_id: 's', response: 'hello there' },
  'POST /v1/dedup-check': { session_id: 's', text: 'hello' },
  'POST /v1/session/create': {},
  'PATCH /v1/session/{session_id}/memories/{memory_hash}': { importance: 1 },
  'POST /v1/session/{session_id}/search': { query: 'hello' },
  'POST /v1/session/{session_id}/trigger': { embedding: axis },
  'POST /v1/session/{session_id}/anchor': { text: 'hello' },
  'PUT /v1/session/{session_id}/isolation': { level: 'FILTER', exclusion_embeddings: [axis] },
  'POST /v1/session/{session_id}/memory': { text: 'hello', embedding: axis },
  'POST /v1/session/{session_id}/memories': { memories: [{ text: 'hello' }] },
  'POST /v1/session/{session_id}/import': exported.json<object>(),
  'POST /v1/session/{session_id}/verify': { test_embeddings: [axis] },
  'POST /v1/session/{session_id}/entities': { key: 'a/b', kind: 'path', value: 'x' },
  'POST /v1/cluster/': { coupling_factor: 0.5 },
  'POST /v1/cluster/{cluster_id}/members': { session_id: 's', weight: 1 },
  'POST /v1/cluster/{cluster_id}/store': { pairs: [{ message: 'Where?', response: 'Here.' }] },
  'POST /v1/cluster/{cluster_id}/run': { message: 'hello' },
  'POST /v1/region/': { consensus_threshold: 0.5 },
  'POST /v1/region/{region_id}/clusters': { cluster_id },
  'POST /v1/observer/': {},
  'POST /v1/observer/regions': { region_id },
  'POST /v1/network/transfer': { source_session_id: 's', target_session_id: 'other' },
  'POST /v1/network/users/switch': { user_id: 'u' },
  'POST /v1/network/consensus': { proposer_session_id: 's', target_embedding: axis }
}
const changes = fc.option(fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 2 }))

/** Path from a template, with names of what exists. */
function named(template: string): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => NAMES[name] ?? '')
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']
const target = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...routes) },
  {
    weight: 2,
    arbitrary: fc.record({
      method: fc.constantFrom(...METHODS),
      path: fc.constantFrom(...routes.map(({ path }) => path), '/v1/session/{x}/nope', '/{x}/{y}')
    })
  }
)
const filled = fc.tuple(target, fc.array(segment, { minLength: 2, maxLength: 2 })).map(([{ method, path }, segments]) => {
  let next = 0
  return { method, template: path, path: path.replace(/\{\w+\}/g, () => segments[next++] ?? '') }
})
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...['session_id', 'top_k', 'full_first', 'max_text_chars', 'limit', 'after', 'since', 'role', 'q', '__proto__', 'x', 'a[b]']
      ),
      fc.constantFrom('', 's', '5', '-1', '5.5', '1e9', 'maybe', '%00', '%', '%ff', '&', '=', '9'.repeat(400))
    ),
    { maxLength: 4 }
  )
  .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('&'))

const headers = fc.record({
  authorization: fc.oneof(
    { weight: 8, arbitrary: fc.constant(`Bearer ${token}`) },
    { weight: 1, arbitrary: fc.constantFrom('', 'Bearer', 'Bearer x.y.z', 'Basic !', `Bearer ${token}x`, '\u00ff') }
  ),
  'content-type': fc.oneof(
    { weight: 8, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'text/plain',
        'application/json;charset=latin1',
        'multipart/form-data',
        ';',
        'application/json/json',
        'a'.repeat(200)
      )
    }
  ),
  accept: fc.constantFrom('*/*', 'text/html', ''),
  'accept-version': fc.constantFrom('', '1.x')
})
interface Asked {
  readonly options: InjectOptions & { readonly url: string }
  readonly documented: ReadonlySet<string> | null
}

const request = fc
  .record({ filled, changes, query, headers, payload })
  .map(({ filled: { method, path, template }, changes, query, headers, payload }): Asked => {
    const valid = changes === null ? undefined : VALID[`${method} ${template}`]
    const shaped = valid && { path: named(template), payload: JSON.stringify({ ...valid, ...changes }) }
    const url = `${shaped?.path ?? path}${query === '' ? '' : `?${query}`}`
    return { options: { method, url, headers, payload: shaped?.payload ?? payload }, documented: documentedOf(method, template, url) }
  })

/** Statuses that the schema names, and that of an invalid media type; null for a request that may reach another route. */
function documentedOf(method: string, template: string, url: string): ReadonlySet<string> | null {
  const operation = document.paths[template]?.[method.toLowerCase()]
  return operation === undefined || /\/(\.|%2e)*(\/|\?|$)/i.test(url) !== template.endsWith('/')
    ? null
    : new Set([...Object.keys(operation.responses), '415'])
}

t.test('what is changed to be wrong is right before: each route that takes a body takes the one of this test', async (t) => {
  const taking = routes.filter(({ path, method }) => document.paths[path]?.[method.toLowerCase()]?.requestBody !== undefined)
  t.strictSame(Object.keys(VALID).sort(), taking.map(({ path, method }) => `${method} ${path}`).sort())
  for (const [route, payload] of Object.entries(VALID)) {
    const [method, template = ''] = route.split(' ')
    const options = { method, url: named(template), headers: { authorization }, payload } as InjectOptions
    const { statusCode, body } = await service.http.inject(options)
    t.ok(statusCode < 300, `${route}: ${statusCode} ${body}`)
  }
})

t.test(`${RUNS} malformed requests: no 5xx, every refusal in the error shape, no unhandled rejection`, async (t) => {
  const rejections: unknown[] = []
  const record = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', record)
  const statuses = new Map<number, number>()
  const undocumented = new Set<string>()
  await fc.assert(
    fc.asyncProperty(request, async ({ options, documented }) => {
      const response = await service.http.inject(options)
      const { statusCode: status, body: text, headers } = response
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // The metrics route answers 401, since its own credentials are missing. Nothing here may be answered with 5xx.
      if (status >= 500) throw new Error(`status ${status}: ${text}`)
      if (documented?.has(String(status)) === false) undocumented.add(`${options.method} ${options.url}: ${status} ${text}`)
      if (status < 400 || options.method === 'HEAD') return
      if (!String(headers['content-type']).startsWith('application/json')) throw new Error(`no JSON: ${text}`)
      const body = response.json<{ detail: unknown }>()
      if (Object.keys(body).join() !== 'detail') throw new Error(`not the error shape: ${text}`)
      if (status === 422 && !(body.detail as object[]).every((error) => Object.keys(error).join() === 'loc,msg,type')) throw new Error(text)
    }),
    { seed: SEED, numRuns: RUNS }
  )
  process.off('unhandledRejection', record)
  t.strictSame(rejections, [])
  t.strictSame([...undocumented], [], 'every status is one that the schema names')
  t.strictSame(logs, [], 'nothing was logged as an error')
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
  for (const status of [200, 400, 401, 404, 405, 415, 422]) t.ok(statuses.get(status), `some answers were ${status}`)
  t.comment(JSON.stringify(Object.fromEntries([...statuses].sort())))
})
