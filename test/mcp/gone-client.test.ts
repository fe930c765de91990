// A client that goes away is no failure of the service: nothing of it is logged as one.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { HttpProblem } from '../../src/http/contract/problem.js'
import { answerMessage } from '../../src/mcp/http-door.js'
import { createRig } from '../support/http-rig.js'
import { until } from '../support/until.js'

t.test('a client that leaves during a call: the request is over, and no error is logged', async (t) => {
  let begun = false
  const rig = await createRig({ intercept: () => new Promise(() => (begun = true)) })
  await rig.app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => rig.app.close())
  const params = { name: 'remember', arguments: { texts: ['The code is 4711.'] } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const socket = connect((rig.app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${await rig.token('alice')}\r\ncontent-type: application/json\r\n` +
      `content-length: ${String(body.length)}\r\n\r\n${body}`
  )
  await until(() => begun)
  socket.destroy()
  const linesOf = (text: string) => rig.logs.filter((line) => line.includes(text))
  await until(() => linesOf('"endpoint":"/mcp"').length > 0)
  t.match(JSON.parse(linesOf('"endpoint":"/mcp"')[0] ?? '{}'), { status: 499 })
  await new Promise(setImmediate)
  t.strictSame(linesOf('request failed'), [])
})

t.test('a message of a client that has left already is not answered', async (t) => {
  const signal = AbortSignal.abort()
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const options = { call: async () => ({ status: 0, body: null }), session: 's', erasesUsers: false, newKey: () => 'k' }
  // Its turn never comes: nothing but its leaving ends it.
  const inTurn = () => new Promise<void>(() => undefined)
  await t.rejects(answerMessage({ body, headers: { 'content-type': 'application/json' }, signal, inTurn }, options), HttpProblem)
})
