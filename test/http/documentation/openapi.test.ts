// The schema as others read it: two linters find nothing, and requests made from the examples are answered as the schema says.
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { readConfig } from '../../../src/config.js'
import { createService } from '../../../src/service.js'

interface Media {
  readonly schema: Field
  readonly example?: unknown
}

interface Operation {
  readonly description: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, Media>> }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Field>> }
}

type Body = Readonly<Record<string, unknown>>

/** The used part of `@redocly/openapi-core`. Its own types are three megabytes, which cost the compiler seconds. */
interface Redocly {
  createConfig(settings: { readonly extends: readonly string[] }): Promise<object>
  lintFromString(options: { readonly source: string; readonly config: object }): Promise<readonly Problem[]>
}

interface Problem {
  readonly ruleId: string
  readonly location: readonly { readonly pointer?: string }[]
}

/** Paths of the interface that end with a slash, which both linters object to. */
const WITH_TRAILING_SLASH = ['/v1/cluster/', '/v1/observer/', '/v1/region/']

const { createConfig, lintFromString } = (await import(import.meta.resolve('@redocly/openapi-core'))) as Redocly
const config = readConfig({
  SERVICE_ALLOW_ANONYMOUS: '1',
  SERVICE_EMBEDDER: 'lexical',
  SERVICE_RATE_LIMIT_PER_MINUTE: '0',
  SERVICE_LOG_LEVEL: 'silent'
})
const service = await createService(config)
await service.start()
t.teardown(() => service.close())
const text = (await service.http.inject({ method: 'GET', url: '/openapi.json' })).body
const document = JSON.parse(text) as Document
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
)

t.test('schema: redocly finds nothing but the trailing slashes', async (t) => {
  const problems = await lintFromString({ source: text, config: await createConfig({ extends: ['recommended'] }) })
  const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`)
  const expected = WITH_TRAILING_SLASH.map((path) => `no-path-trailing-slash #/paths/${path.replaceAll('/', '~1')}`)
  t.strictSame(found.sort(), expected)
})

t.test('schema: spectral finds nothing but the trailing slashes', async (t) => {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [oas] } as Parameters<typeof linter.setRuleset>[0])
  const found = (await linter.run(text)).map(({ code, path }) => `${String(code)} ${path.join(' ')}`)
  t.strictSame(
    found.sort(),
    WITH_TRAILING_SLASH.map((path) => `path-keys-no-trailing-slash paths ${path}`)
  )
})

t.test('schema: every body, JSON answer and parameter has an example or is of the upstream', async (t) => {
  const free = new Set(['GET /openapi.json', 'POST /compat/v1/chat/completions', 'GET /compat/v1/models'])
  for (const { path, method, operation } of operations) {
    const name = `${method} ${path}`
    for (const media of Object.values(operation.requestBody?.content ?? {})) t.not(media.example, undefined, `${name}: request`)
    for (const parameter of operation.parameters ?? []) {
      t.not(parameter.example, undefined, `${name}: ${parameter.name}`)
      t.ok(parameter.description, `${name}: ${parameter.name}`)
    }
    const success = operation.responses['200'] ?? operation.responses['201']
    const json = success?.content?.['application/json']
    if (json !== undefined && !free.has(name)) t.not(json.example, undefined, `${name}: answer`)
  }
})

t.test('schema: bodies and answers are named models', async (t) => {
  for (const { path, method, operation } of operations) {
    const bodies = [operation.requestBody, ...Object.values(operation.responses)]
    const json = bodies.flatMap((body) => body?.content?.['application/json'] ?? [])
    for (const { schema } of json) if (path !== '/openapi.json') t.hasOwnProp(schema, '$ref', `${method} ${path}`)
  }
})

t.test('schema: every field of every model says what it means', async (t) => {
  for (const [name, model] of Object.entries(document.components.schemas)) t.strictSame(silentIn(model, name), [], name)
})

t.test('schema: every refusal of the chat proxy is in its envelope, and its answer may be a stream', async (t) => {
  for (const { path, method, operation } of operations) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const schema = content?.['application/json']?.schema
      const isInEnvelope = path.startsWith('/compat') && status !== '200' && status !== 'default'
      t.equal(schema?.$ref === '#/components/schemas/ChatProblem', isInEnvelope, `${method} ${path}: ${status}`)
    }
  }
  const chat = document.paths['/compat/v1/chat/completions']?.['post']?.responses['200']
  t.strictSame(Object.keys(chat?.content ?? {}), ['application/json', 'text/event-stream'])
  t.strictSame(Object.keys(chat?.headers ?? {}), ['X-Session-Id'])
})

t.test("schema: answers have their headers, and the upstream's own refusals have no schema", async (t) => {
  for (const { path, method, operation } of operations) {
    const name = `${method} ${path}`
    const { 403: foreign, 429: limited, default: upstreams } = operation.responses
    t.ok(foreign, `${name}: a page of another site may call any route`)
    if (limited !== undefined) t.strictSame(Object.keys(limited.headers ?? {}), ['Retry-After'], name)
    t.equal(upstreams !== undefined, path.startsWith('/compat'), name)
    t.equal(upstreams?.content, undefined, name)
  }
})

t.test('schema: a status stands only where the operation can answer it', async (t) => {
  for (const { path, method, operation } of operations) {
    const name = `${method} ${path}`
    const statuses = Object.keys(operation.responses)
    const hasBody = operation.requestBody !== undefined
    t.equal(statuses.includes('413'), hasBody, `${name}: 413`)
    t.equal(statuses.includes('415'), hasBody, `${name}: 415`)
    if (method === 'GET' && !path.startsWith('/compat')) t.notOk(statuses.includes('409'), `${name}: 409`)
  }
})

t.test('examples: in the order of their story every request is answered as the schema says', async (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  let regionId = ''

  /** Sends an operation's example. Values that the server creates (ids, exports) replace those of the example. */
  async function send(name: string, stand: { body?: unknown; session_id?: string; memory_hash?: string } = {}): Promise<Body> {
    const [method = '', path = ''] = name.split(' ')
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (operation === undefined) throw new Error(`There is no ${name}`)
    const values: Body = { region_id: regionId, ...stand }
    const parameters = operation.parameters ?? []
    const of = (parameter: string) => {
      const example = parameters.find((known) => known.name === parameter)?.example
      return encodeURIComponent(String(values[parameter] ?? example)).replaceAll('%2F', '/')
    }
    const url = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => of(parameter))
    const isInQuery = parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'session_id')
    const query = isInQuery ? `?session_id=${of('session_id')}` : ''
    const example = Object.values(operation.requestBody?.content ?? {})[0]?.example
    const payload = stand.body ?? example
    const body = payload === undefined ? {} : { payload: payload as object }
    const response = await service.http.inject({ method: method as 'GET', url: url + query, ...body })
    const answer = operation.responses[String(response.statusCode)]
    t.match(String(response.statusCode), /^20[01]$/, `${name}: ${response.body.slice(0, 200)}`)
    t.ok(answer, name)
    const pointer = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${String(response.statusCode)}`
    const isValid = ajv.validate({ $ref: `document#${encodeURI(pointer)}/content/application~1json/schema` }, response.json())
    t.ok(isValid, `${name}: ${ajv.errorsText()}`)
    return response.json<Body>()
  }

  await send('GET /v1/health')
  await send('POST /v1/session/create')
  await send('POST /v1/run', { body: { session_id: 'anna', message: 'How do I enable 2FA for my mail account?' } })
  const run = await send('POST /v1/run')
  t.equal(run['short_circuit'], true)
  await send('POST /v1/store')
  await send('POST /v1/dedup-check')
  for (const name of ['GET /v1/metrics/{session_id}', 'GET /v1/state/metrics', 'GET /v1/state/context']) await send(name)
  await send('POST /v1/session/{session_id}/trigger')
  await send('DELETE /v1/session/{session_id}/trigger')
  await send('POST /v1/session/{session_id}/anchor')
  await send('GET /v1/session/{session_id}/anchor_score')
  await send('PUT /v1/session/{session_id}/isolation')
  await send('POST /v1/session/{session_id}/isolation/release')
  const injected = await send('POST /v1/session/{session_id}/memory')
  await send('POST /v1/session/{session_id}/memories')
  const memory = { memory_hash: String(injected['memory_hash']) }
  await send('GET /v1/session/{session_id}/memories/{memory_hash}', memory)
  await send('GET /v1/session/{session_id}/memories')
  await send('POST /v1/session/{session_id}/search')
  await send('PATCH /v1/session/{session_id}/memories/{memory_hash}', memory)
  await send('DELETE /v1/session/{session_id}/memories/{memory_hash}', memory)
  await send('GET /v1/session/{session_id}/days')
  const entity = await send('POST /v1/session/{session_id}/entities')
  t.equal(entity['size'], 61)
  await send('GET /v1/session/{session_id}/entities')
  await send('DELETE /v1/session/{session_id}/entities/{key}')
  await send('POST /v1/session/{session_id}/import', { body: await send('GET /v1/session/{session_id}/export') })
  await send('POST /v1/session/create', { body: { session_id: 'colours', dimension: 3 } })
  await send('POST /v1/session/{session_id}/verify', { session_id: 'colours' })
  await send('GET /v1/sessions')
  await send('GET /v1/days')

  await send('POST /v1/cluster/')
  await send('POST /v1/cluster/{cluster_id}/members')
  await send('POST /v1/cluster/{cluster_id}/store')
  await send('POST /v1/cluster/{cluster_id}/run')
  await send('POST /v1/cluster/{cluster_id}/feedback')
  for (const name of ['GET /v1/cluster/', 'GET /v1/cluster/{cluster_id}']) await send(name)
  regionId = String((await send('POST /v1/region/'))['region_id'])
  await send('POST /v1/region/{region_id}/clusters')
  for (const name of ['GET /v1/region/', 'GET /v1/region/{region_id}', 'GET /v1/region/{region_id}/events']) await send(name)
  await send('POST /v1/observer/', { body: { sample_interval_seconds: 30, region_ids: [regionId] } })
  await send('POST /v1/observer/regions', { body: { region_id: regionId } })
  for (const name of ['POST /v1/observer/sample', 'GET /v1/observer/summary', 'GET /v1/observer/anomalies']) await send(name)
  for (const name of ['DELETE /v1/observer/anomalies', 'DELETE /v1/observer/regions/{region_id}']) await send(name)
  await send('DELETE /v1/region/{region_id}/clusters/{cluster_id}')
  await send('DELETE /v1/region/{region_id}')

  await send('POST /v1/network/transfer')
  await send('POST /v1/network/consensus')
  for (const name of ['GET /v1/network/consensus/trust', 'POST /v1/network/users/switch', 'GET /v1/network/users/active']) await send(name)
  await send('POST /v1/network/users/{user_id}/serialize')
  await send('DELETE /v1/cluster/{cluster_id}/members/{session_id}')
  await send('DELETE /v1/cluster/{cluster_id}')
  await send('DELETE /v1/session/{session_id}')
})

interface Field {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Field>>
  readonly items?: Field
  readonly anyOf?: readonly Field[]
}

/** Paths of the fields without a description, neither at the field nor at the model or the alternative that it is. */
function silentIn({ properties = {}, items, anyOf = [] }: Field, path: string): string[] {
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(isDescribed(field) ? [] : [`${path}.${name}`]),
    ...silentIn(field, `${path}.${name}`)
  ])
  return [...fields, ...[items, ...anyOf].flatMap((inner) => (inner === undefined ? [] : silentIn(inner, path)))]
}

function isDescribed({ $ref, description, anyOf = [] }: Field): boolean {
  const model = document.components.schemas[$ref?.slice($ref.lastIndexOf('/') + 1) ?? '']
  return [description, model?.description].some((text) => text !== undefined && text !== '') || anyOf.some(isDescribed)
}
