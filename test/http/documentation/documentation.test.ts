import { createHash } from 'node:crypto'
import t from 'tap'
import { createRig } from '../../support/http-rig.js'

const rig = await createRig()
const document = JSON.parse((await rig.get('/openapi.json')).text) as Document

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: object }
}

const INTERFACE = {
  '/v1/health': ['get'],
  '/v1/readyz': ['get'],
  '/metrics': ['get'],
  '/openapi.json': ['get'],
  '/docs': ['get'],
  '/redoc': ['get'],
  '/v1/run': ['post'],
  '/v1/store': ['post'],
  '/v1/dedup-check': ['post'],
  '/v1/session/create': ['post'],
  '/v1/session/{session_id}': ['delete'],
  '/v1/metrics/{session_id}': ['get'],
  '/v1/state/metrics': ['get'],
  '/v1/state/context': ['get'],
  '/v1/session/{session_id}/memories/{memory_hash}': ['get', 'delete'],
  '/v1/session/{session_id}/search': ['post'],
  '/v1/session/{session_id}/trigger': ['post', 'delete'],
  '/v1/session/{session_id}/anchor': ['post'],
  '/v1/session/{session_id}/anchor_score': ['get'],
  '/v1/session/{session_id}/isolation': ['put'],
  '/v1/session/{session_id}/isolation/release': ['post'],
  '/v1/session/{session_id}/memory': ['post'],
  '/v1/session/{session_id}/export': ['get'],
  '/v1/session/{session_id}/import': ['post'],
  '/v1/session/{session_id}/verify': ['post'],
  '/v1/session/{session_id}/entities': ['post', 'get'],
  '/v1/session/{session_id}/entities/{key}': ['delete'],
  '/v1/session/{session_id}/memories': ['get', 'post'],
  '/v1/sessions': ['get'],
  '/v1/observer/': ['post'],
  '/v1/observer/summary': ['get'],
  '/v1/observer/sample': ['post'],
  '/v1/observer/anomalies': ['get', 'delete'],
  '/v1/observer/regions': ['post'],
  '/v1/observer/regions/{region_id}': ['delete'],
  '/v1/network/transfer': ['post'],
  '/v1/network/users/switch': ['post'],
  '/v1/network/users/active': ['get'],
  '/v1/network/users/{user_id}/serialize': ['post'],
  '/v1/network/consensus': ['post'],
  '/v1/network/consensus/trust': ['get'],
  '/compat/v1/chat/completions': ['post'],
  '/compat/v1/models': ['get']
}

function* nodes(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const child of Object.values(value)) yield* nodes(child)
}

t.test('schema: version 1.0.0, every route of the interface, none of the optional surfaces', async (t) => {
  t.equal(document.openapi, '3.1.0')
  t.equal(document.info.version, '1.0.0')
  for (const [path, methods] of Object.entries(INTERFACE)) t.hasProps(document.paths[path] ?? {}, methods, path)
  t.notMatch(Object.keys(document.paths).join(), /debug|compliance|\*/)
})

t.test('schema: every reference resolves', async (t) => {
  const references = [...nodes(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  t.ok(references.length > 0)
  for (const reference of new Set(references)) {
    t.match(reference, /^#\//)
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document)
    t.ok(found, reference)
  }
})

t.test('schema: operations have unique ids, a tag, a summary, security and documented errors', async (t) => {
  const tags = new Set(document.tags.map(({ name }) => name))
  const ids = new Set<string>()
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      t.ok(operation.operationId !== '' && !ids.has(operation.operationId), `${method} ${path}: ${operation.operationId}`)
      ids.add(operation.operationId)
      t.ok(operation.summary !== '' && tags.has(operation.tags[0] ?? ''))
      const isPublic = path === '/v1/health'
      t.equal(operation.security.length > 0, !isPublic)
      if (!isPublic) t.ok(operation.responses['401'])
      for (const response of Object.values(operation.responses)) t.ok(response.description)
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
      t.strictSame(
        declared,
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
        `path parameters of ${path}`
      )
    }
  }
  t.strictSame(Object.keys(document.components.securitySchemes), ['bearer', 'apiKey', 'metrics'])
})

t.test('schema: types are words that JSON Schema has', async (t) => {
  const words = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'http', 'apiKey'])
  const types = [...nodes(document)].flatMap(({ type }) => (typeof type === 'string' ? [type] : []))
  t.strictSame(
    types.filter((type) => !words.has(type)),
    []
  )
})

for (const url of ['/docs', '/redoc']) {
  t.test(`${url}: one page that holds all it needs and may load nothing else`, async (t) => {
    const { status, text, headers } = await rig.get(url)
    t.equal(status, 200)
    t.match(headers['content-type'], /^text\/html/)
    const policy = String(headers['content-security-policy'])
    t.match(policy, /^default-src 'none'/)
    t.notMatch(policy, /unsafe-eval|https?:|script-src[^;]*unsafe/)
    const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => String(match[1]))
    t.equal(scripts.length, 2)
    for (const script of scripts) t.match(policy, createHash('sha256').update(script).digest('base64'))
    for (const script of scripts) t.notMatch(script, '<!--')
    t.notMatch(text, /<script src|<link rel="stylesheet"|cdn\.redoc\.ly|sourceMappingURL=\w+[\w.-]*\.map\s*$/m)
    t.match(scripts[1], '/v1/state/context')
    const shell = text.replaceAll(/<script>[\s\S]*?<\/script>/g, '').replaceAll(/<style>[\s\S]*?<\/style>/g, '')
    t.notMatch(shell, /https?:/)
  })
}
