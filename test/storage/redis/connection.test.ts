import { type AddressInfo, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { Logger } from '../../../src/ports.js'
import { createRedisStorage } from '../../../src/storage/redis/storage.js'
import { needs } from '../../support/needs.js'
import { startRedis } from '../../support/redis-server.js'

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts a server that does this with each connection, and returns its address as one of Redis. */
async function serve(t: Test, taken: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    taken(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a server that takes a connection and says nothing is told by the code of one that is late', async (t) => {
  const url = await serve(t, () => undefined)
  await t.rejects(createRedisStorage({ url, logger }), { code: 'storage_unavailable', cause: { code: 'ETIMEDOUT' } })
})

t.test('a server that hangs up is told by the code of a connection that was closed', async (t) => {
  const url = await serve(t, (socket) => socket.resume().end())
  await t.rejects(createRedisStorage({ url, logger }), { code: 'storage_unavailable', cause: { code: 'CONNECTION_CLOSED' } })
})

t.test('a server with as many clients as it takes is told by the code of one that refuses the connection', async (t) => {
  const url = await serve(t, (socket) => socket.once('data', () => socket.end('-ERR max number of clients reached\r\n'.repeat(9))))
  await t.rejects(createRedisStorage({ url, logger }), { code: 'storage_unavailable', cause: { code: 'CONNECTION_REFUSED' } })
})

t.test('an address whose database is not a number is refused before a connection is made', async (t) => {
  for (const end of ['/memory', '?db=memory'])
    await t.rejects(createRedisStorage({ url: `redis://127.0.0.1:1${end}`, logger }), {
      code: 'storage_unavailable',
      message: 'The database of Redis is not named by a number'
    })
})

t.test('a database that the server does not have is refused, and none other is written', needs('redis-server'), async (t) => {
  const server = await startRedis(['--databases', '2'])
  t.teardown(() => server.stop())
  const refusal = { code: 'storage_unavailable', message: 'Redis refuses the database that its address names' }
  for (const database of ['2', '-1']) await t.rejects(createRedisStorage({ url: `${server.url}/${database}`, logger }), refusal)
  const storage = await createRedisStorage({ url: `${server.url}/1`, logger })
  t.teardown(() => storage.close())
  await t.resolves(storage.check())
})
