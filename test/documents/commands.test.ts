/** The commands of the documents, as a reader types them, against a service of their own. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { startService } from '../support/real-service.js'
import { codeBlocks, markdownFiles } from './markdown-files.js'

/** Where the documents suppose the service. */
const SUPPOSED = 'http://127.0.0.1:8000'
const SHELL_MS_MAX = 30_000

const execute = promisify(execFile)

const documents = markdownFiles()
  .map(({ path, text }) => ({ path, script: codeBlocks(text).filter(({ language, needs }) => language === 'sh' && needs === null) }))
  .filter(({ script }) => script.length > 0)

/** What the commands of a document print, one after another; the first that fails ends them. */
async function run(path: string, { url, token }: { readonly url: string; readonly token: string }): Promise<string> {
  const script = documents.find((document) => document.path === path)?.script ?? []
  const typed = script.map(({ text }) => text).join('\n')
  const lines = typed
    .replaceAll(SUPPOSED, url)
    .split('\n')
    .filter((line) => !line.startsWith('export TOKEN='))
  // As typed, but a refusal is a failure, and each answer ends its line.
  const checked = ['set -euo pipefail', 'curl() { command curl --fail-with-body -w \'\\n\' "$@"; }', ...lines].join('\n')
  const { stdout } = await execute('bash', ['-c', checked], { env: { PATH: process.env['PATH'], TOKEN: token }, timeout: SHELL_MS_MAX })
  return stdout
}

t.test('documents: their commands', async (t) => {
  const { service, as } = await startService(t, { nodes: 1, env: { SERVICE_PORT: '0' } })
  const url = await service.listen()
  const { token } = await as('reader')
  const answers = async (path: string) =>
    (await run(path, { url, token }))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  t.test('the tour of the README, ends in a short circuit with the earlier answer', async (t) => {
    const told = await answers('README.md')
    t.match(told.at(-1), { short_circuit: true, context: /Two-step verification/ })
    t.same(
      told.map((answer) => answer['short_circuit']),
      [false, false, true]
    )
  })

  t.test('groups, let a member have what another was answered', async (t) => {
    const last = (await answers('docs/groups.md')).at(-1)
    t.match(last, { session_id: 'ben', short_circuit: true, context: /front desk/ })
  })

  t.test('of other documents, there are none without a test here', async (t) => {
    t.same(
      documents.map(({ path }) => path),
      ['README.md', 'docs/groups.md']
    )
  })
})
