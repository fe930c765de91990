/**
 * Closes what a failed attempt to connect leaves open. The NATS client gives an attempt up without closing its socket when the server has
 * not introduced itself by then, and does not tell which socket that is.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Sockets of the attempt under way. */
const attempts = new AsyncLocalStorage<Socket[]>()

// Node.js tells of each socket in the context that made it.
subscribe('net.client.socket', (made) => {
  attempts.getStore()?.push((made as { readonly socket: Socket }).socket)
})

/** Settles as `attempt` does. After a failure all sockets that it has opened are closed. */
export async function orCloseSockets<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const sockets: Socket[] = []
  try {
    return await attempts.run(sockets, attempt)
  } catch (error) {
    for (const socket of sockets) socket.destroy()
    throw error
  }
}
