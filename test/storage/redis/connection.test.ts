import { type AddressInfo, createServer, type Socket } from 'node:net'
import t from 'tap'
import type { Logger } from '../../../src/ports.js'
import { createRedisStorage } from '../../../src/storage/redis/storage.js'

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

t.test('a server that takes a connection and says nothing is told by the code of one that is late', async (t) => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    silent.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`
  await t.rejects(createRedisStorage({ url, logger }), { code: 'storage_unavailable', cause: { code: 'ETIMEDOUT' } })
})
