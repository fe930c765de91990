import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { engram } from '../support/command-line.js'

async function listening(t: Test, server: Pick<Server, 'listen' | 'close' | 'address'>): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? String(address.port) : ''}`
}

const COMMANDS = [
  ['search', 'anna', 'Lisbon'],
  ['chat', 'anna']
]

t.test('commands, where something else than Engram answers: each says so, whatever that answers with', async (t) => {
  const answers: RequestListener[] = [
    (_request, response) => response.setHeader('content-type', 'application/json').end('{"hello":"world"}'),
    (_request, response) => response.setHeader('content-type', 'text/html').end('<html>'),
    (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<html>')
  ]
  for (const answer of answers) {
    const url = await listening(t, createServer(answer))
    for (const command of COMMANDS) {
      const result = await engram([...command, '--url', url], { input: 'hello\n' })
      t.match(result, { code: 3, stdout: '', stderr: `What answers at ${url} is no Engram service.\n` }, command.join(' '))
    }
  }
})

t.test('commands, where a redirect answers: the reason is said, since the token goes no further', async (t) => {
  const url = await listening(
    t,
    createServer((_request, response) => response.writeHead(308, { location: 'https://memory.example/' }).end())
  )
  const result = await engram(['search', 'anna', 'Lisbon', '--url', url])
  t.match(result, { code: 3, stdout: '', stderr: `The service at ${url} cannot be reached: unexpected redirect.\n` })
})

t.test('commands, where a connection is taken and nothing said: they end by themselves', { timeout: 30_000 }, async (t) => {
  const sockets = new Set<{ destroy(): void }>()
  const url = await listening(
    t,
    createTcpServer((socket) => void sockets.add(socket))
  )
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const result = await engram(['search', 'anna', 'Lisbon', '--url', url])
  t.match(result, { code: 3, stdout: '', stderr: `The service at ${url} does not answer in time.\n` })
})
