import t from 'tap'
import ts from 'typescript'
import { walk } from './source-files.js'
import { isReference, membersRead } from './source-rules.js'

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
