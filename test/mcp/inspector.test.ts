// The official inspector's command line, at both doors.
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { builtProgram } from '../support/built.js'
import { startService } from '../support/real-service.js'

const FACT = 'Anna is allergic to peanuts.'
const INSPECTOR = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector-cli/build/cli.js'))

/** What the inspector prints, parsed. It looks for its own version from where it is started. */
async function inspect(...args: string[]): Promise<unknown> {
  const env = { PATH: process.env['PATH'] ?? '', SERVICE_EMBEDDER: 'lexical' }
  const { stdout } = await promisify(execFile)(process.execPath, [INSPECTOR, '--cli', ...args], { env, cwd: dirname(INSPECTOR) })
  return JSON.parse(stdout)
}

t.test('the inspector understands both doors: tools, their answers and resources', async (t) => {
  const { service, as } = await startService(t, { nodes: 1 })
  const url = await service.http.listen({ host: '127.0.0.1', port: 0 })
  const { token, post } = await as('anna')
  await post('/v1/session/create', { session_id: 'default' })
  await post('/v1/session/default/memories', { memories: [{ text: FACT }] })
  const overHttp = [`${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
  const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=allergic peanuts', 'top_k=1']
  const overStdio = [process.execPath, await builtProgram('src/cli/engram'), 'mcp', '--data', t.testdir()]
  const [listed, found, read, own] = await Promise.all([
    inspect(...overHttp, '--method', 'tools/list'),
    inspect(...overHttp, ...call),
    inspect(...overHttp, '--method', 'resources/read', '--uri', 'engram://sessions/default/memories'),
    inspect(...overStdio, '--method', 'tools/call', '--tool-name', 'list_sessions')
  ])
  t.match(listed, { tools: [{ name: 'remember' }, { name: 'recall' }, { name: 'search' }] })
  t.match(found, { structuredContent: { results: [{ text: FACT }] } })
  t.match(read, { contents: [{ text: /allergic to peanuts/ }] })
  t.match(own, { structuredContent: { sessions: [] } })
})
