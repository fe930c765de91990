/** Runs the commands of the documents as a reader types them, against services of their own. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compileFunction } from 'node:vm'
import OpenAI from 'openai'
import t, { type Test } from 'tap'
import { beginStream, startChat, streamed } from '../support/chat-upstream.js'
import { startJoined } from '../support/joined-services.js'
import { needs } from '../support/needs.js'
import { startService } from '../support/real-service.js'
import { type CodeBlock, codeBlocks, markdownFiles } from './markdown-files.js'

/** Address at which the documents assume the service. */
const SUPPOSED = 'http://127.0.0.1:8000'
const SHELL_MS_MAX = 30_000

const execute = promisify(execFile)

/** A block of JavaScript, with the variables that it assumes. */
type Program = (client: typeof OpenAI, token: string, process: object) => Promise<void>

const blocks = markdownFiles().flatMap(({ path, text }) => codeBlocks(text).map((block) => ({ path, ...block })))

/** Blocks for the running service of the tour. */
const typed = blocks.filter(({ language, needs: needed }) => language === 'sh' && needed === null)

/** The only block of a document that needs something. */
function blockOf(path: string, needed: string): CodeBlock {
  const [block] = blocks.filter((candidate) => candidate.path === path && candidate.needs === needed)
  if (block === undefined) throw new Error(`${path} has no block that needs ${needed}`)
  return block
}

/** Output of the commands, line by line; the first that fails ends them. `addresses`: replacements for those in the documents. */
async function answers(
  script: string,
  { addresses, token = '' }: { readonly addresses: Readonly<Record<string, string>>; readonly token?: string }
): Promise<unknown[]> {
  const own = Object.entries(addresses).reduce((text, [supposed, url]) => text.replaceAll(supposed, url), script)
  const lines = own.split('\n').filter((line) => !line.startsWith('export TOKEN='))
  // As typed, but a refusal is a failure, and each answer ends its line.
  const checked = ['set -euo pipefail', 'curl() { command curl --fail-with-body -s -w \'\\n\' "$@"; }', ...lines].join('\n')
  const { stdout } = await execute('bash', ['-c', checked], { env: { PATH: process.env['PATH'], TOKEN: token }, timeout: SHELL_MS_MAX })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}

t.test('documents: their commands', needs('curl'), async (t) => {
  const { service, as } = await startService(t, { nodes: 1, env: { SERVICE_PORT: '0' } })
  const addresses = { [SUPPOSED]: await service.listen() }
  const { token } = await as('reader')
  const answersOf = (path: string) => {
    const script = typed.filter((block) => block.path === path).map(({ text }) => text)
    return answers(script.join('\n'), { addresses, token })
  }

  t.test('the tour of the README ends in a short circuit with the earlier answer', async (t) => {
    const told = await answersOf('README.md')
    t.match(told.at(-1), { short_circuit: true, context: /Two-step verification/ })
    t.same(
      told.map((answer) => (answer as { short_circuit?: boolean }).short_circuit),
      [false, false, true]
    )
  })

  t.test('groups let a member have what another was answered', async (t) => {
    const last = (await answersOf('docs/groups.md')).at(-1)
    t.match(last, { session_id: 'ben', short_circuit: true, context: /front desk/ })
  })

  t.test('the quickstart ends in a memory that is recalled', async (t) => {
    const told = await answersOf('docs/quickstart.md')
    t.match(told.at(-2), { session_id: 'trip', context: /platform four/ })
    t.match(told.at(-1), { results: [{ text: /allergic to nuts/ }] })
    t.equal((told.at(-1) as { results: unknown[] }).results.length, 1)
  })

  t.test('no other document has commands that need no more than that service', async (t) => {
    t.same([...new Set(typed.map(({ path }) => path))], ['README.md', 'docs/groups.md', 'docs/quickstart.md'])
  })
})

t.test(
  'several nodes: a session begun at one node is read at another, as printed',
  needs('nats-server', 'redis-server', 'curl'),
  async (t) => {
    const env = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: '0' }
    const overrides = { logDestination: { write: () => undefined } }
    const [first, , third] = await Promise.all(
      (await startJoined(t, { count: 3, env, overrides })).map((node) => node.http.listen({ host: '127.0.0.1', port: 0 }))
    )
    const addresses = { 'http://127.0.0.1:8001': first ?? '', 'http://127.0.0.1:8003': third ?? '' }
    const [run, read] = await answers(blockOf('docs/several-nodes.md', 'three nodes').text, { addresses })
    t.match(run, { session_id: 'anna' })
    t.match(read, [{ text: /Lisbon/ }])
  }
)

t.test('compliance: the erasure answers what is printed below it', needs('curl'), async (t) => {
  const env = {
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_COMPLIANCE: '1',
    SERVICE_STATE_PERSIST: '1',
    DATABASE_URL: `sqlite:${join(t.testdir(), 'sessions.db')}`,
    SERVICE_PORT: '0'
  }
  const { service } = await startService(t, { nodes: 1, env })
  const url = await service.listen()
  const run = (body: object) => service.http.inject({ method: 'POST', url: '/v1/run', payload: { user_id: 'ann', ...body } })
  await run({ session_id: 'first', message: 'My train to Lisbon leaves at nine.' })
  await run({ session_id: 'first', message: 'The hotel is close to the harbour.' })
  await run({ session_id: 'second', message: 'I take my tea without milk.' })
  const lines = blockOf('docs/compliance.md', 'a build').text.split('\n')
  const [printed = ''] = lines.filter((line) => line.startsWith('# '))
  const script = lines.filter((line) => line.startsWith('curl ')).join('\n')
  t.strictSame(await answers(script, { addresses: { [SUPPOSED]: url } }), [JSON.parse(printed.slice(2))])
})

for (const path of ['README.md', 'docs/chat-proxy.md']) {
  t.test(`${path}: the chat client prints the answer of its model`, (t) => runChatClient(t, path))
}

async function runChatClient(t: Test, path: string): Promise<void> {
  const { url, alice, memories } = await startChat(t, ({ response }) => beginStream(response).end(streamed(['To ', 'Lisbon.'])))
  const printed: string[] = []
  const text = blockOf(path, 'a model service').text.replaceAll(SUPPOSED, url)
  const program = compileFunction(`return (async () => {${text}})()`, ['OpenAI', 'TOKEN', 'process']) as Program
  await program(OpenAI, alice.token, { stdout: { write: (text: string) => printed.push(text) } })
  t.equal(printed.join(''), 'To Lisbon.')
  t.same(await memories('anna'), ['user: Where do we fly in May?', 'assistant: To Lisbon.'])
}
