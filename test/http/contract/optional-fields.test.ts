/** Clients in typed languages send null for omitted fields: every optional field of a body accepts it, with a few exceptions. */
import t from 'tap'
import { startService } from '../../support/real-service.js'

/** Interface, Sessions: a boolean or an integer with a default, and nothing else. */
const NEVER_NULL = new Set(['dimension', 'enable_topic_switch', 'reset_context', 'use_cortex', 'use_meta_pss'])

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } }>>
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

function* optionalFields(
  { components }: Document,
  schema: Schema,
  at: string
): Generator<{ readonly name: string; readonly at: string; readonly takesNull: boolean }> {
  const {
    properties = {},
    required = [],
    items,
    anyOf = []
  } = schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema)
  for (const [name, field] of Object.entries(properties)) {
    const takesNull = field.type === 'null' || field.anyOf?.some(({ type }) => type === 'null') === true
    if (!required.includes(name)) yield { name, at: `${at} ${name}`, takesNull }
    yield* optionalFields({ components } as Document, field, `${at} ${name}`)
  }
  for (const inner of [...anyOf, ...(items === undefined ? [] : [items])]) yield* optionalFields({ components } as Document, inner, at)
}

t.test('bodies: what may be left out may be null as well, alike on all routes', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const document = (await alice.get('/openapi.json')).body as unknown as Document
  // Bodies of chats are defined by the model service.
  const own = Object.entries(document.paths).filter(([path]) => !path.startsWith('/compat/'))
  const fields = own.flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      return schema === undefined ? [] : [...optionalFields(document, schema, `${method} ${path}`)]
    })
  )
  t.ok(fields.length > 50)
  for (const { name, at, takesNull } of fields) t.equal(takesNull, !NEVER_NULL.has(name), at)
})

t.test('bodies: a field that is null has its default', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const region = await alice.post('/v1/region/', { consensus_threshold: null, vote_window_seconds: null })
  t.match(region, { status: 201, body: { consensus_threshold: 0.5, vote_window_seconds: 60 } })
  const policy = { embedding: [0, 1], weight: null, promote: null }
  t.match(await alice.post('/v1/session/create', { session_id: 's', dimension: 2, policy_vectors: [policy] }), { status: 200 })
  const exported = JSON.stringify((await alice.get('/v1/session/s/export')).body)
  t.match(exported, /"weight":1,"promote":true|"promote":true,"weight":1/)
  await alice.post('/v1/session/s/memories', { memories: Array.from({ length: 12 }, (_, at) => ({ text: `Door ${String(at)}` })) })
  const search = await alice.post('/v1/session/s/search', { query: 'door', top_k: null, explain: null })
  t.equal((search.body['results'] as readonly unknown[]).length, 10)
  t.notOk('stages' in search.body)
  t.match(await alice.post('/v1/session/create', { dimension: null }), { status: 422, body: { detail: [{ loc: ['body', 'dimension'] }] } })
})
