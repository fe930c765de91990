/** What a tool makes of a model's arguments, and of what comes of them. */
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { choice } from '../../../src/http/contract/schemas.js'
import { queryOf, sessionPath, type ToolContext } from '../../../src/mcp/calls/service.js'
import { CLOSED, type ServiceMemory, toShown } from '../../../src/mcp/tools/fields.js'
import { ADDS, defineTool, ERASES, READS, TURNS } from '../../../src/mcp/tools/tool.js'

const FIELDS = {
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 9 })),
  least: Type.Optional(Type.String({ minLength: 2 })),
  name: Type.Optional(Type.String({ maxLength: 3, pattern: '^a' })),
  plain: Type.Optional(Type.String()),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  share: Type.Optional(Type.Number({ minimum: 0 })),
  list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
  flag: Type.Optional(Type.Boolean()),
  kind: Type.Optional(choice(['x', 'y'])),
  inner: Type.Optional(Type.Object({}))
}

function toolOf(input: Parameters<typeof Type.Object>[0], toText?: () => string) {
  const output = Type.Object({ given: Type.Unknown() })
  return defineTool({
    ...{ name: 'n', title: 't', description: 'd', hints: READS, output, input: Type.Object(input, CLOSED) },
    run: async (given) => ({ given }),
    ...(toText !== undefined && { toText })
  })
}

const CONTEXT = {} as ToolContext
const refusal = (given: unknown, input = FIELDS as Parameters<typeof toolOf>[0]): Promise<string> =>
  toolOf(input)
    .run(given, CONTEXT)
    .then(
      () => 'accepted',
      (error: unknown) => (error instanceof Error && error.name === 'ArgumentsError' ? error.message : String(error))
    )

t.test('each argument that does not fit is told what it has to be', async (t) => {
  for (const [given, told] of [
    [{ text: '' }, 'text: has to be a text of 1 to 9 characters'],
    [{ text: 5 }, 'text: has to be a text of 1 to 9 characters'],
    [{ least: 'a' }, 'least: has to be a text of at least 2 characters'],
    [{ name: 'b' }, 'name: has to be a text of at most 3 characters that matches ^a'],
    [{ plain: 1 }, 'plain: has to be a text'],
    [{ count: 6 }, 'count: has to be a whole number of 1 to 5'],
    [{ share: -1 }, 'share: has to be a number of at least 0'],
    [{ list: [] }, 'list: has to be a list of 1 to 2 items'],
    [{ list: ['a', 1] }, 'list[1]: has to be a text'],
    [{ flag: 'yes' }, 'flag: has to be true or false'],
    [{ kind: 'z' }, 'kind: has to be one of x, y'],
    [{ inner: 1 }, 'inner: has to be an object'],
    [{ other: 1 }, 'other: there is no such argument'],
    ['text', 'arguments: has to be an object']
  ] as const)
    t.equal(await refusal(given), `${told}. Correct the arguments, then call again.`)
  const nested = { outer: Type.Object({ list: Type.Array(Type.Object({ a: Type.String() })) }) }
  t.match(await refusal({ outer: { list: [{ a: 1 }] } }, nested), 'outer.list[0].a: has to be a text')
  t.match(await refusal({}, { must: Type.Boolean() }), 'must: is missing, it has to be true or false')
})

t.test('the first five are told, one finding each', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const input = Object.fromEntries(names.map((name) => [name, Type.String({ minLength: 2, pattern: '^x' })]))
  const told = await refusal(Object.fromEntries(names.map((name) => [name, ''])), input)
  t.same(
    told.split('; ').map((one) => one.slice(0, 2)),
    ['a:', 'b:', 'c:', 'd:', 'e:']
  )
})

t.test('what is null counts as left out, and so do arguments that are missing as a whole', async (t) => {
  for (const [given, taken] of [
    [{ text: null, count: 1 }, { count: 1 }],
    [undefined, {}],
    [null, {}]
  ] as const)
    t.same((await toolOf(FIELDS).run(given, CONTEXT)).structured, { given: taken })
})

t.test('a result is also a text: JSON, unless the tool says otherwise', async (t) => {
  t.equal((await toolOf(FIELDS).run({ count: 1 }, CONTEXT)).text, '{"given":{"count":1}}')
  t.equal((await toolOf(FIELDS, () => 'in words').run({}, CONTEXT)).text, 'in words')
})

t.test('clients are told what only reads, what may be called again, and what erases', async (t) => {
  const told = ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: typeof READS) =>
    [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map(Number).join('')
  t.same([READS, ADDS, TURNS, ERASES].map(told), ['1010', '0010', '0000', '0110'])
})

const memory = (length: number): ServiceMemory =>
  ({
    ...{ memory_hash: 'h', memory_id: 'i', role: 'user', tier: 'short_term', importance: 1, timestamp: 2, user_id: null },
    text: 'x'.repeat(length)
  }) as unknown as ServiceMemory

t.test('the texts of a result are cut to a paragraph each, or as asked, and to what a model reads at once', async (t) => {
  const shown = (lengths: readonly number[], most?: number) =>
    toShown(lengths.map(memory), most).map(({ text, truncated }) => `${String(text.length)} ${String(truncated)}`)
  t.same(shown([1_000, 1_001]), ['1000 false', '1000 true'])
  t.same(shown([7, 8], 7), ['7 false', '7 true'])
  t.equal(
    shown(
      Array.from({ length: 5 }, () => 100_000),
      100_000
    ).length,
    4
  )
  t.same(shown([500_000, 1], 500_000), ['500000 false'], 'one at least')
  t.same(
    toShown([memory(1)], 5, () => ({ score: 1 })),
    [
      {
        ...{ memory_hash: 'h', text: 'x', truncated: false, role: 'user', tier: 'short_term', importance: 1, timestamp: 2 },
        ...{ user_id: null, score: 1 }
      }
    ]
  )
})

t.test('paths and queries hold what is given, encoded', async (t) => {
  t.equal(queryOf({}), '')
  t.equal(queryOf({ a: undefined }), '')
  t.equal(queryOf({ a: 0, b: undefined, c: 'x y&' }), '?a=0&c=x+y%26')
  t.equal(sessionPath('a/b', '/days'), '/v1/session/a%2Fb/days')
  t.equal(sessionPath('a'), '/v1/session/a')
})
