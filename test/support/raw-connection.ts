/** A connection to a server over which a test writes what it likes. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Test } from 'tap'
import type { Http } from '../../src/http/contract/typed-http.js'

export interface RawConnection {
  readonly socket: Socket
  /** All that the server has sent, and the message of an error of the connection. */
  readonly received: () => string
}

/** Connects, and writes `text`. Ends with the test. */
export async function openRaw(t: Test, { server }: Http, text: string): Promise<RawConnection> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let received = ''
  socket.on('error', (error) => (received += error.message))
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  await once(socket, 'connect')
  socket.write(text)
  return { socket, received: () => received }
}
