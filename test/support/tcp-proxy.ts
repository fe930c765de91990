/** A TCP proxy whose connections a test can cut, stall, or break at a chosen message. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Fault =
  /** The connection breaks, and the server never sees the message. */
  | 'cut before'
  /** The server receives the message and answers; the connection breaks before the answer arrives. */
  | 'cut after'
  /** The message and everything after it on its connection waits for `resume`, even if the sender is gone by then. */
  | 'hold'

export type Way = 'to server' | 'to client'

export interface TcpProxy {
  readonly port: number
  /** Applies the fault to the next message from a client that contains `bytes`. Resolves when it has happened. */
  breakNext(bytes: Uint8Array, fault: Fault): Promise<void>
  /**
   * Stops all traffic in that direction, or in both if none is given. New connections are still accepted. Stopped data arrives later, as on
   * a link whose sender retransmits.
   */
  stall(way?: Way): void
  /** Lets all traffic continue, starting with what was stopped. */
  resume(): void
  /** Idempotent. */
  stop(): Promise<void>
}

interface Trap {
  readonly bytes: Buffer
  readonly fault: Fault
  readonly sprung: () => void
}

/** Data stopped towards one side, and whether the connection ends after it. */
interface Direction {
  readonly way: Way
  readonly to: Socket
  isHeld: boolean
  readonly held: Buffer[]
  hasEnded: boolean
}

/** `target` listens on loopback; clients find the proxy at `host`. */
export async function startTcpProxy(target: { readonly port: number }, { host = '127.0.0.1' } = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const directions = new Set<Direction>()
  const traps: Trap[] = []
  const stalled = new Set<Way>()
  const waits = ({ way, isHeld }: Direction) => isHeld || stalled.has(way)

  const pass = (direction: Direction, from: Socket, chunk: Buffer) => {
    if (waits(direction)) direction.held.push(chunk)
    else if (!direction.to.write(chunk)) {
      from.pause()
      direction.to.once('drain', () => from.resume())
    }
  }
  const end = (direction: Direction) => {
    direction.hasEnded = true
    if (waits(direction)) return
    directions.delete(direction)
    direction.to.end()
  }
  const release = (direction: Direction) => {
    direction.isHeld = false
    for (const chunk of direction.held.splice(0)) direction.to.write(chunk)
    if (direction.hasEnded) end(direction)
  }
  const trapIn = (chunk: Buffer) => {
    const found = traps.findIndex(({ bytes }) => chunk.includes(bytes))
    return found === -1 ? undefined : traps.splice(found, 1)[0]
  }

  const join = (client: Socket) => {
    const upstream = connect(target.port, '127.0.0.1')
    const [there, back]: [Direction, Direction] = [directionTo(upstream, 'to server'), directionTo(client, 'to client')]
    for (const direction of [there, back]) directions.add(direction)
    const cut = () => {
      for (const direction of [there, back]) directions.delete(direction)
      client.destroy()
      upstream.destroy()
    }
    let swallow: (() => void) | null = null
    client.on('data', (chunk: Buffer) => {
      const trap = trapIn(chunk)
      if (trap?.fault === 'cut before') cut()
      else if (trap?.fault === 'cut after') swallow = trap.sprung
      else if (trap !== undefined) there.isHeld = true
      if (!client.destroyed) pass(there, client, chunk)
      if (trap !== undefined && trap.fault !== 'cut after') trap.sprung()
    })
    upstream.on('data', (chunk: Buffer) => {
      if (swallow === null) return pass(back, upstream, chunk)
      cut()
      swallow()
    })
    for (const [socket, direction] of [
      [client, there],
      [upstream, back]
    ] as const) {
      sockets.add(socket)
      // 'close' follows, and ends the other side as well.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        end(direction)
      })
    }
  }

  const server = createServer({ noDelay: true }, join).listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    breakNext: (bytes, fault) => new Promise((sprung) => traps.push({ bytes: Buffer.from(bytes), fault, sprung })),
    stall(way) {
      for (const one of way === undefined ? (['to server', 'to client'] as const) : [way]) stalled.add(one)
    },
    resume() {
      stalled.clear()
      for (const direction of [...directions]) release(direction)
    },
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}

function directionTo(to: Socket, way: Way): Direction {
  return { to, way, isHeld: false, held: [], hasEnded: false }
}
