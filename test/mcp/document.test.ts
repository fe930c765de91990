// The table of tools in the documents says what the tools themselves say.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { toolsOf } from '../../src/mcp/tools/offered.js'
import type { Tool } from '../../src/mcp/tools/tool.js'

function rowOf({ name, title, input, hints }: Tool): string {
  const required = new Set(input.required ?? [])
  const taken = Object.keys(input.properties).map((argument) => `\`${argument}${required.has(argument) ? '' : '?'}\``)
  const effect = hints.readOnlyHint ? 'reads' : hints.destructiveHint ? 'erases' : hints.idempotentHint ? 'adds once' : 'adds'
  return `| \`${name}\` | ${title} | ${taken.join(', ') || 'nothing'} | ${effect} |`
}

t.test('docs: the table of tools, one row a tool in the order of the listing', async (t) => {
  const text = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
  const rows = text.split('\n').filter((line) => /^\| `[a-z_]+` \|.*\| (?:reads|erases|adds|adds once) \|$/.test(line))
  t.strictSame(rows, toolsOf({ erasesUsers: true }).map(rowOf))
})
