/**
 * `connect` of the NATS client, without its leak: the client gives an attempt up without closing its socket when the server has not
 * introduced itself by then, and does not tell which socket that is. Each attempt at a silent server would leave one open for good.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { connect as connectClient, type ConnectionOptions, type NatsConnection } from 'nats'

/** Sockets of the attempt under way. */
const attempts = new AsyncLocalStorage<Socket[]>()

// Node.js tells of each socket in the context that made it.
subscribe('net.client.socket', (made) => {
  attempts.getStore()?.push((made as { readonly socket: Socket }).socket)
})

/** As `connect` of the client; after a failure none of its sockets is left. */
export async function connect(options: ConnectionOptions): Promise<NatsConnection> {
  const sockets: Socket[] = []
  try {
    return await attempts.run(sockets, () => connectClient(options))
  } catch (error) {
    for (const socket of sockets) socket.destroy()
    throw error
  }
}
