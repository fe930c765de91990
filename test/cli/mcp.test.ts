// A client starts the program, as desktop clients do: with a memory of its own, or connected to a running service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { builtProgram } from '../support/built.js'
import { freePort } from '../support/free-port.js'
import { connectOverStdio } from '../support/mcp-client.js'
import { startService } from '../support/real-service.js'

const program = await builtProgram('src/cli/engram')
const ENV = { SERVICE_EMBEDDER: 'lexical' }

t.test('what is remembered outlives the program, in a folder of the user alone', async (t) => {
  const data = join(t.testdir(), 'memory')
  const errors: string[] = []
  const args = [program, 'mcp', '--data', data, '--session', 'home']
  const first = await connectOverStdio(t, { args, env: ENV, errors })
  t.match((await first.tool('remember', { texts: ['Anna is allergic to peanuts.'], user_id: 'anna' })).structured, {
    session_id: 'home',
    stored: 1
  })
  await first.client.close()
  const second = await connectOverStdio(t, { args, env: ENV, errors })
  t.match((await second.tool('search', { query: 'Which food is Anna allergic to?' })).structured, { results: [{ text: /peanuts/ }] })
  t.match((await second.tool('forget_user', { user_id: 'anna' })).structured, { erased_memories: 1 })
  t.equal(statSync(data).mode & 0o777, 0o700)
  t.notMatch(errors.join(''), /peanuts/)
})

t.test('two clients at once share one folder, and each finds what the other has kept', async (t) => {
  const args = [program, 'mcp', '--data', t.testdir()]
  const [one, two] = await Promise.all([connectOverStdio(t, { args, env: ENV }), connectOverStdio(t, { args, env: ENV })])
  for (let round = 0; round < 3; round++) {
    for (const [{ tool }, name] of [
      [one, 'one'],
      [two, 'two']
    ] as const) {
      const { isError, text } = await tool('remember', { texts: [`Fact ${round} of ${name}.`] })
      t.notOk(isError, text)
    }
  }
  for (const { tool } of [one, two]) t.equal(((await tool('list_memories')).structured['memories'] as object[]).length, 6)
})

t.test('nothing but the protocol is on standard output, whatever is sent', async (t) => {
  const child = spawn(process.execPath, [program, 'mcp', '--data', t.testdir()], { env: { ...ENV, SERVICE_LOG_LEVEL: 'debug' } })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const send = (message: object | string) => child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  const clientInfo = { name: 'raw', version: '1' }
  send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  send('this is no JSON')
  send('[]')
  send({ jsonrpc: '2.0', id: 4, method: 'tools/call' })
  send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_sessions' } })
  send({ jsonrpc: '2.0', id: 3, method: 'nonsense' })
  while (output.split('\n').length < 7) await once(child.stdout, 'data')
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string; id: number | null; error?: { code: number } })
  t.strictSame(answers.map(({ id, error }) => [id, error?.code ?? 0].join(' ')).sort(), [
    ' -32600',
    ' -32700',
    '1 0',
    '2 0',
    '3 -32601',
    '4 -32602'
  ])
  child.stdin.end()
  const [code] = (await once(child, 'exit')) as [number]
  t.equal(code, 0, 'it ends with its client')
})

t.test('a service that runs is called with the token of the environment', async (t) => {
  const { service, as } = await startService(t, { nodes: 1 })
  const url = await service.http.listen({ host: '127.0.0.1', port: 0 })
  const caller = await as('anna')
  const args = [program, 'mcp', '--url', `${url}/`]
  const { tool } = await connectOverStdio(t, { args, env: { ENGRAM_TOKEN: caller.token } })
  await tool('remember', { texts: ['Kept by the service.'] })
  t.match((await caller.get('/v1/session/default/memories')).body, { memories: [{ text: 'Kept by the service.' }] })
  t.match((await tool('search', { query: 'x', session_id: 'none' })).text, /^Session not found/)

  const errors: string[] = []
  const stranger = await connectOverStdio(t, { args, env: { ENGRAM_TOKEN: `${caller.token}x` }, errors })
  t.match((await stranger.tool('list_sessions')).text, /^Invalid license.*Do not retry/)
  t.notMatch(errors.join(''), caller.token)
})

t.test('a service that is away is no reason to fail: the model is told', async (t) => {
  const url = `http://127.0.0.1:${await freePort()}`
  const { tool } = await connectOverStdio(t, { args: [program, 'mcp', '--url', url], env: {} })
  const { isError, text } = await tool('recall', { message: 'hello' })
  t.equal(isError, true)
  t.match(text, /^The memory service was not reached\. .*go on without memory/)
})

t.test('wrong usage is said on standard error, with its exit code', async (t) => {
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [program, 'mcp', ...args], { env: ENV })
    let error = ''
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    return { code, error }
  }
  const runs = [run('--nonsense'), run('--url', 'ftp://somewhere'), run('--session', 'no spaces'), run('--data', '/dev/null/folder')]
  const [unknown, address, session, folder] = await Promise.all(runs)
  t.match(unknown, { code: 2, error: /unknown option '--nonsense'/ })
  t.match(address, { code: 2, error: /has to begin with http/ })
  t.match(session, { code: 2, error: /letters, digits/ })
  t.match(folder, { code: 78, error: /^The folder/ })
})
