import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import t from 'tap'
import { createPipelines } from '../../../src/http/plugins/pipelines.js'
import { settled } from '../../support/manual-clock.js'

const CONNECTIONS = 40
const EACH = 16

interface Connection {
  /** Number of requests and remainders of bodies that reached the parser. */
  begun: number
  readonly socket: Duplex
}

function createRig() {
  const iterations: (() => void)[] = []
  const { watch } = createPipelines(() => new Promise((resolve) => iterations.push(resolve)))
  return {
    open(): Connection {
      const connection = { begun: 0, socket: new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }) }
      connection.socket.on('data', () => void (connection.begun += 1))
      watch(connection.socket as unknown as Socket)
      return connection
    },
    async iterate(): Promise<void> {
      iterations.splice(0).forEach((end) => end())
      await settled()
    },
    /** Opens connections in an iteration of the event loop that accepts no others. */
    async openBefore(count: number): Promise<Connection[]> {
      const connections = Array.from({ length: count }, this.open)
      await this.iterate()
      connections[0]?.socket.push(REQUEST)
      await settled()
      await this.iterate()
      return connections
    }
  }
}

const REQUEST = `GET / HTTP/1.1\r\nx-padding: ${'x'.repeat(256)}\r\n\r\n`
const SHORT_REQUEST = 'GET / HTTP/1.1\r\nhost:\r\n\r\n'
const all = (connections: readonly Connection[]): number => connections.reduce((sum, { begun }) => sum + begun, 0)

for (const request of [REQUEST, SHORT_REQUEST]) {
  t.test(`of many connections each begins one request of ${String(request.length)} bytes in an iteration, few of them more`, async (t) => {
    const rig = createRig()
    const connections = await rig.openBefore(CONNECTIONS)
    for (const connection of connections) {
      connection.begun = 0
      connection.socket.push(request.repeat(EACH))
    }
    await settled()
    t.ok(connections.every(({ begun }) => begun > 0))
    t.equal(all(connections), CONNECTIONS + 16)
    for (let turns = 0; all(connections) < CONNECTIONS * EACH && turns < CONNECTIONS * EACH; turns++) {
      const before = all(connections)
      await rig.iterate()
      t.ok(all(connections) - before <= 4, String(all(connections) - before))
    }
    t.ok(
      connections.every(({ begun }) => begun === EACH),
      'all are begun in the end'
    )
  })
}

t.test('while connections are accepted each begins one request in an iteration, and no more', async (t) => {
  const { open, iterate } = createRig()
  const connections: Connection[] = [open()]
  for (let at = 0; at < CONNECTIONS; at++) {
    await iterate()
    const before = all(connections)
    connections.at(-1)?.socket.push(REQUEST.repeat(EACH))
    connections.push(open())
    await settled()
    t.ok(all(connections) - before <= 2, 'the one of the latest, and one of those that were held')
  }
  t.equal(connections.filter(({ begun }) => begun > 0).length, CONNECTIONS)
})

t.test('a body that came with its headers does not wait for the requests of others', async (t) => {
  const [one, ...others] = await createRig().openBefore(CONNECTIONS)
  for (const { socket } of others) socket.push(REQUEST.repeat(EACH))
  if (one !== undefined) one.begun = 0
  one?.socket.push(REQUEST + 'a body')
  await settled()
  t.equal(one?.begun, 2)
})

t.test('what was read whole keeps no connection back', async (t) => {
  const [one] = await createRig().openBefore(1)
  one?.socket.push(REQUEST)
  await settled()
  t.equal(one?.socket.isPaused(), false)
})

t.test('connections that are closed while they are held take no turns of the others', async (t) => {
  const rig = createRig()
  const [one, ...others] = (await rig.openBefore(CONNECTIONS)).reverse()
  for (const { socket } of others) socket.push(REQUEST.repeat(EACH))
  one?.socket.push(REQUEST.repeat(2))
  await settled()
  for (const { socket } of others) socket.destroy()
  await settled()
  if (one !== undefined) one.begun = 0
  await rig.iterate()
  t.equal(one?.begun, 1)
})
