/** Validation of each part of a request, and the wording of findings. */
import { type TSchema, Type } from '@sinclair/typebox'
import t from 'tap'
import { choice, optional, text } from '../../../src/http/contract/schemas.js'
import { HttpProblem } from '../../../src/http/contract/problem.js'
import { compileValidator } from '../../../src/http/plugins/validation.js'

type Part = 'body' | 'querystring' | 'params' | 'headers'

/** The value that a handler receives, or the findings that its caller receives. */
function checked(httpPart: Part, schema: TSchema, received: unknown): unknown {
  const answer: unknown = compileValidator({ schema, httpPart, method: 'POST', url: '/' })(received)
  const { value, error } = answer as { readonly value?: unknown; readonly error?: unknown }
  if (error === undefined) return value
  if (!(error instanceof HttpProblem) || error.status !== 422) throw new Error('not a finding')
  return error.detail
}

const inBody = (schema: TSchema, value: unknown) => checked('body', Type.Object({ a: schema }), { a: value })
const inQuery = (schema: TSchema, value: unknown) => checked('querystring', Type.Object({ a: schema }), { a: value })
const finding = (loc: readonly unknown[], type: string, msg: string) => [{ loc, msg, type }]

t.test('a body is taken as it is, and what is none is missing', async (t) => {
  t.same(inBody(Type.String(), 'x'), { a: 'x' })
  t.same(inBody(Type.String(), 5), finding(['body', 'a'], 'string_type', 'Input should be a valid string'))
  t.same(inBody(Type.Integer(), '5'), finding(['body', 'a'], 'int_type', 'Input should be a valid integer'))
  t.same(inBody(Type.Boolean(), 'true'), finding(['body', 'a'], 'bool_type', 'Input should be a valid boolean'))
  const missing = finding(['body'], 'missing', 'Field required')
  t.same(checked('body', Type.Object({}), null), missing)
  t.equal(checked('body', Type.Null({ 'x-null-is-a-value': true }), null), null)
  t.same(
    checked('body', Type.Object({}), []),
    finding(['body'], 'model_attributes_type', 'Input should be a valid dictionary or object to extract fields from')
  )
})

t.test('fields that nobody knows are let through', async (t) => {
  t.same(checked('body', Type.Object({ a: Type.String() }), { a: 'x', b: 1 }), { a: 'x', b: 1 })
  t.same(checked('querystring', Type.Object({}), { b: '1' }), { b: '1' })
})

t.test('what can only be text is converted: numbers as they are written, and words for truth values', async (t) => {
  for (const [written, value] of [
    ['5', 5],
    ['+5', 5],
    ['-05', -5]
  ] as const)
    t.same(inQuery(Type.Integer(), written), { a: value }, written)
  for (const [written, value] of [
    ['1', 1],
    ['1.', 1],
    ['.5', 0.5],
    ['-12.25', -12.25],
    ['120', 120],
    ['1e3', 1000],
    ['+2E-2', 0.02]
  ] as const)
    t.same(inQuery(Type.Number(), written), { a: value }, written)
  for (const word of ['true', 'YES', 'on', 't', 'y', '1']) t.same(inQuery(Type.Boolean(), word), { a: true }, word)
  for (const word of ['false', 'No', 'off', 'f', 'n', '0']) t.same(inQuery(Type.Boolean(), word), { a: false }, word)
  t.same(inQuery(Type.String(), '5'), { a: '5' })
  t.same(inQuery(Type.Optional(Type.Integer()), undefined), { a: undefined })
})

t.test('what is not written like its type is told so, also what is given twice', async (t) => {
  const noInteger = 'Input should be a valid integer, unable to parse string as an integer'
  for (const written of ['', '5.0', '1e3', ' 5', '0x10', ['5', '6']])
    t.same(inQuery(Type.Integer(), written), finding(['query', 'a'], 'int_parsing', noInteger), String(written))
  const noNumber = 'Input should be a valid number, unable to parse string as a number'
  for (const written of ['', '.', '1e', 'e3', '1.2.3', 'Infinity', '0x10', ['5', '6']])
    t.same(inQuery(Type.Number(), written), finding(['query', 'a'], 'float_parsing', noNumber), String(written))
  t.same(
    inQuery(Type.Boolean(), '2'),
    finding(['query', 'a'], 'bool_parsing', 'Input should be a valid boolean, unable to interpret input')
  )
})

t.test('a finding names its part of the request', async (t) => {
  for (const [part, name] of [
    ['querystring', 'query'],
    ['params', 'path'],
    ['headers', 'header']
  ] as const)
    t.match(checked(part, Type.Object({ a: Type.Integer() }), { a: 'x' }), [{ loc: [name, 'a'] }])
})

t.test('a number is whole where it has to be, finite, and within its bounds', async (t) => {
  const at = ['body', 'a']
  t.same(inBody(Type.Integer(), 1.5), finding(at, 'int_from_float', 'Input should be a valid integer, got a number with a fractional part'))
  for (const schema of [Type.Integer(), Type.Number()])
    t.same(inBody(schema, Infinity), finding(at, 'finite_number', 'Input should be a finite number'))
  t.same(inBody(Type.Number(), 'x'), finding(at, 'float_type', 'Input should be a valid number'))
  for (const type of [Type.Integer, Type.Number]) {
    t.same(inBody(type({ minimum: 1 }), 0), finding(at, 'greater_than_equal', 'Input should be greater than or equal to 1'))
    t.same(inBody(type({ maximum: 1 }), 2), finding(at, 'less_than_equal', 'Input should be less than or equal to 1'))
    t.same(inBody(type({ exclusiveMinimum: 1 }), 1), finding(at, 'greater_than', 'Input should be greater than 1'))
    t.same(inBody(type({ exclusiveMaximum: 1 }), 1), finding(at, 'less_than', 'Input should be less than 1'))
  }
})

t.test('a text has its length in characters, and nothing that some storage could not keep', async (t) => {
  const at = ['body', 'a']
  const short = text({ minLength: 1, maxLength: 2 })
  t.same(inBody(short, '😀😀'), { a: '😀😀' })
  t.same(inBody(short, ''), finding(at, 'string_too_short', 'String should have at least 1 character'))
  t.same(inBody(short, 'abc'), finding(at, 'string_too_long', 'String should have at most 2 characters'))
  t.same(inBody(short, 1), finding(at, 'string_type', 'Input should be a valid string'))
  t.same(inBody(short, '\ud800'), finding(at, 'string_unicode', 'Input should be a valid string: half of a surrogate pair stands alone'))
  t.same(inBody(short, '\0'), finding(at, 'value_error', 'Input should not contain the NUL character'))
  t.same(inBody(Type.String({ minLength: 2 }), 'a'), finding(at, 'string_too_short', 'String should have at least 2 characters'))
  t.same(inBody(Type.String({ maxLength: 1 }), 'ab'), finding(at, 'string_too_long', 'String should have at most 1 character'))
  t.same(inBody(Type.String({ pattern: '^a$' }), 'b'), finding(at, 'string_pattern_mismatch', "String should match pattern '^a$'"))
})

t.test('a list has its length, and what is wrong with an item says which', async (t) => {
  const list = Type.Array(Type.String(), { minItems: 1, maxItems: 2 })
  t.same(inBody(list, []), finding(['body', 'a'], 'too_short', 'List should have at least 1 item(s) after validation'))
  t.same(inBody(list, ['x', 'y', 'z']), finding(['body', 'a'], 'too_long', 'List should have at most 2 item(s) after validation'))
  t.same(inBody(list, 'x'), finding(['body', 'a'], 'list_type', 'Input should be a valid list'))
  t.same(inBody(list, ['x', 1]), finding(['body', 'a', 1], 'string_type', 'Input should be a valid string'))
  t.same(
    checked('body', Type.Object({ 'x/y~z': Type.String() }), { 'x/y~z': 1 }),
    finding(['body', 'x/y~z'], 'string_type', 'Input should be a valid string')
  )
})

t.test('one of a few words is asked for by all of them', async (t) => {
  const told = (words: string) => finding(['body', 'a'], 'enum', `Input should be ${words}`)
  t.same(inBody(choice(['x']), 'X'), told("'x'"))
  t.same(inBody(choice(['x', 'y']), 1), told("'x' or 'y'"))
  t.same(inBody(choice(['x', 'y', 'z']), 'w'), told("'x', 'y' or 'z'"))
})

t.test('what may be null is told what its type says', async (t) => {
  t.same(inBody(optional(text()), null), { a: null })
  t.same(inBody(optional(text()), ''), finding(['body', 'a'], 'string_too_short', 'String should have at least 1 character'))
})

t.test('a field has one finding, and a request sixteen at most', async (t) => {
  const names = Array.from({ length: 20 }, (_, n) => `f${n}`)
  const schema = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String({ minLength: 2, pattern: '^a' })])))
  const findings = checked('body', schema, Object.fromEntries(names.map((name) => [name, 'b']))) as { readonly loc: unknown }[]
  t.same(
    findings.map(({ loc }) => loc),
    names.slice(0, 16).map((name) => ['body', name])
  )
  t.same(
    checked('body', schema, {}),
    names.slice(0, 16).flatMap((name) => finding(['body', name], 'missing', 'Field required'))
  )
})

t.test('fields that exclude each other, and those of which one is needed', async (t) => {
  const fields = { a: optional(text()), b: optional(text()), c: optional(text()) }
  const of = (keyword: string) => Type.Object(fields, { [keyword]: ['a', 'b'] })
  const told = (name: string, type: string, which: string) => finding(['body', name], type, `Give ${which} one of a and b`)
  const cases = [
    ['x-exactly-one', {}, told('a', 'missing', 'exactly')],
    ['x-exactly-one', { a: null, c: 'x' }, told('a', 'missing', 'exactly')],
    ['x-exactly-one', { a: 'x', b: 'y' }, told('b', 'value_error', 'exactly')],
    ['x-exactly-one', { a: null, b: 'y' }, { a: null, b: 'y' }],
    ['x-at-most-one', { a: 'x', b: 'y' }, told('b', 'value_error', 'at most')],
    ['x-at-most-one', { a: 'x', b: null }, { a: 'x', b: null }],
    ['x-at-most-one', {}, {}],
    ['x-at-least-one', { a: null }, told('a', 'missing', 'at least')],
    ['x-at-least-one', { a: 'x', b: 'y' }, { a: 'x', b: 'y' }],
    ['x-at-least-one', { b: 'y' }, { b: 'y' }]
  ] as const
  for (const [keyword, body, answer] of cases) t.same(checked('body', of(keyword), body), answer, `${keyword} of ${JSON.stringify(body)}`)
})
