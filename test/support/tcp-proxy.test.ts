// A connection that is cut in one direction, and whose stopped data arrives afterwards.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { startTcpProxy } from './tcp-proxy.js'

/** Starts a server, a client, and the proxy between them. */
async function startLine(t: Test) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await startTcpProxy(server.address() as AddressInfo)
  const joined = once(server, 'connection')
  const client = connect(proxy.port, '127.0.0.1')
  const [served] = (await joined) as [Socket]
  t.teardown(async () => {
    await proxy.stop()
    server.close()
  })
  return { proxy, client, served }
}

/** The data that has arrived, and the next arrival. */
function inbox(socket: Socket) {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { arrived: () => text, next: () => once(socket, 'data') }
}

t.test('a line cut towards the server: answers still arrive, and what was held back follows', async (t) => {
  const { proxy, client, served } = await startLine(t)
  const [atServer, atClient] = [inbox(served), inbox(client)]
  proxy.stall('to server')
  client.write('question')
  const answered = atClient.next()
  served.write('news')
  await answered
  t.equal(atClient.arrived(), 'news')
  t.equal(atServer.arrived(), '')
  const asked = atServer.next()
  proxy.resume()
  await asked
  t.equal(atServer.arrived(), 'question')
})

t.test('a line cut towards the client: questions still arrive, and answers when it is whole again', async (t) => {
  const { proxy, client, served } = await startLine(t)
  const [atServer, atClient] = [inbox(served), inbox(client)]
  proxy.stall('to client')
  const asked = atServer.next()
  served.write('answer')
  client.write('question')
  await asked
  t.equal(atServer.arrived(), 'question')
  t.equal(atClient.arrived(), '')
  const answered = atClient.next()
  proxy.resume()
  await answered
  t.equal(atClient.arrived(), 'answer')
})
