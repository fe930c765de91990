/** Two sockets connected with each other. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** They are destroyed when the test ends. */
export async function socketPair(t: Test): Promise<readonly [Socket, Socket]> {
  const server = createServer({ pauseOnConnect: true })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const one = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [other] = (await once(server, 'connection')) as [Socket]
  server.close()
  t.teardown(() => {
    for (const socket of [one, other]) socket.destroy()
  })
  return [one, other]
}
