import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import t from 'tap'
import { projectRoot } from '../support/project-root.js'

const RULE = 'compiler/errors'

t.test('lint: what the compiler finds anywhere in a project is told with the first of its files', async (t) => {
  const folder = t.testdir({
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["ES2023"], "types": [] } }',
    'first.ts': 'export const first = 1\n',
    'second.ts': 'export const second = 2\n',
    'wrong.ts': "export const wrong: number = 'one'\n"
  })
  const overrideConfig = { rules: { [RULE]: 'error' as const } }
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: join(projectRoot(), 'eslint.config.js'), overrideConfig })
  const results = await eslint.lintFiles(['first.ts', 'second.ts'])
  t.match(results, [{ messages: [{ ruleId: RULE, message: /wrong\.ts\(1,14\): error TS2322: / }] }, { messages: [] }])
  t.equal(results[0]?.messages.length, 1)
})

t.test('lint: of the whole project it is asked for that', async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  t.match(scripts['lint'], `eslint --rule ${RULE}:error . && `)
})
