import t from 'tap'
import ts from 'typescript'
import { walk } from './source-files.js'
import { isConstant, isReference, isSame, membersRead } from './source-rules.js'

function membersOfDate(text: string): string[] {
  const found: string[] = []
  walk(ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2023, true), (node) => found.push(...(membersRead(node, 'Date') ?? [])))
  return found
}

t.test('what is read of a global is found however it is written', async (t) => {
  t.same(membersOfDate('Date.now()'), ['now'])
  t.same(membersOfDate("Date['now']()"), ['now'])
  t.same(membersOfDate('Date[name]()'), ['*'])
  t.same(membersOfDate('const { now } = Date'), ['now'])
  t.same(membersOfDate('const { now: at, ...others } = Date'), ['now', '*'])
  t.same(membersOfDate('const clock = Date'), ['*'])
  t.same(membersOfDate('use(Date)'), ['*'])
  t.same(membersOfDate('use({ Date })'), ['*'])
  t.same(membersOfDate('new Date()'), ['*'])
})

t.test('a name that is no value is none of it', async (t) => {
  for (const text of [
    'let at: Date',
    'type At = Date',
    'a.Date',
    'use({ Date: 1 })',
    'const { Date: at } = a',
    'interface A { Date: string }'
  ]) {
    t.same(membersOfDate(text), [], text)
  }
  const source = ts.createSourceFile('a.ts', 'setTimeout(run)', ts.ScriptTarget.ES2023, true)
  let references = 0
  walk(source, (node) => (references += isReference(node, 'setTimeout') ? 1 : 0))
  t.equal(references, 1)
})

function expressionOf(text: string): ts.Expression {
  const [statement] = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2023, true).statements
  if (statement === undefined || !ts.isExpressionStatement(statement)) throw new Error(`no expression: ${text}`)
  return statement.expression
}

t.test('what is made of literals alone is constant, and what a name stands for may be anything', async (t) => {
  for (const text of [
    '1',
    "'a'",
    '`a`',
    '/a/',
    'true',
    'null',
    'undefined',
    '-1',
    '!0',
    '1 + 1',
    "[1, 'a']",
    '({ a: [1] })',
    '(2 as number)'
  ]) {
    t.equal(isConstant(expressionOf(text)), true, text)
  }
  for (const text of [
    'a',
    '!a',
    'a + 1',
    '1 + a',
    '[1, a]',
    '({ a: b })',
    '({ a })',
    '({ ...a })',
    'a()',
    "'a' in {}",
    '`${a}`',
    '(a as number)'
  ]) {
    t.equal(isConstant(expressionOf(text)), false, text)
  }
})

t.test('a name or a member is the same as itself, and a call is not', async (t) => {
  for (const text of ['a', 'a.b', "a['b']", 'a[0].c', 'this.a', 'a!.b', 'a[b]'])
    t.equal(isSame(expressionOf(text), expressionOf(text)), true, text)
  for (const text of ['a()', 'a().b', 'a[b()]', 'new A()', 'a + b']) t.equal(isSame(expressionOf(text), expressionOf(text)), false, text)
  t.equal(isSame(expressionOf('a.b'), expressionOf('a.c')), false)
})
