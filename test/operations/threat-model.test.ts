/** Each row of the threat model names a test, and each named test exists. */
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const model = readFileSync('docs/threat-model.md', 'utf8')
const rows = model.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Must not') && !line.startsWith('| Held |'))

t.test('threat model: every row names a test, and every test that it names is there', async (t) => {
  t.ok(rows.length >= 20)
  for (const row of rows) t.match(row.split('|').at(-2), /`test\/[\w/-]+\.test\.ts`/, row.slice(0, 60))
  const named = [...model.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, path = '']) => path)
  t.strictSame(
    named.filter((path) => !existsSync(path)),
    []
  )
})

t.test('threat model: everybody whom the service deals with has a section', async (t) => {
  const sections = [...model.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  for (const who of [
    'Licence holder',
    'Anonymous caller',
    'Node',
    'Operator',
    'Model service behind the chat proxy',
    'Embedding service',
    'Browser'
  ]) {
    t.ok(sections.includes(who), who)
  }
})

t.test('SECURITY.md says how to report, what is supported, what a shared node means and what operators see to', async (t) => {
  const text = readFileSync('SECURITY.md', 'utf8')
  for (const title of ['Reporting', 'Supported versions', 'What a shared node means', 'What the operator sees to'])
    t.match(text, `## ${title}`)
  t.ok(text.includes('docs/threat-model.md') && existsSync('docs/threat-model.md'))
})
