/**
 * Requests that a client sends without waiting (RFC 9112, 9.3.2), a few at a time. Node.js reads 64 KiB of a connection at once and begins
 * every request in them before anybody else's: some 1,700. Here its parser gets them one after another, pausing the connection keeps back
 * those that are left of what was read, and a connection with many of them goes on in a later iteration of the event loop.
 */
import type { Socket } from 'node:net'

/** Between a request's headers and what follows. */
const HEADERS_END = Buffer.from('\r\n\r\n')

/** Of the shortest request, `GET / HTTP/1.1` with an empty `Host`. A body that is nothing but ends of headers has no shorter parts. */
const REQUEST_BYTES_MIN = 25

/** Ends of headers of one connection in one iteration: with 0.1 to 0.3 ms for each request others wait a millisecond. */
const HEADERS_AN_ITERATION_MAX = 4

/**
 * Those of all connections together beyond the first one of each. None while connections are accepted: Node.js accepts one an iteration,
 * so that a client which connects after 300 others waits for 300 iterations.
 */
const FURTHER_AN_ITERATION_MAX = 16

export interface Pipelines {
  /** Stands between the connection and the parser from now on. */
  watch(socket: Socket): void
  /** Reading goes on in one of the next iterations: one connection in each. */
  resume(socket: Socket): void
}

type Parse = (chunk: Buffer) => void

/** The pipelines of one server. */
export function createPipelines(yieldToEventLoop: () => Promise<void>): Pipelines {
  /** In the order in which they go on. */
  const held = new Set<Socket>()
  let iteration = 0
  let isCounted = false
  /** Ends of headers in this iteration, beyond the first one of each connection. */
  let further = 0
  /** Whether a connection was accepted in this iteration. */
  let hasAccepted = false

  function nextIteration(): void {
    iteration += 1
    further = hasAccepted ? FURTHER_AN_ITERATION_MAX : 0
    hasAccepted = false
    isCounted = false
    const [socket] = held
    if (socket === undefined) return
    held.delete(socket)
    countIteration()
    socket.resume()
  }

  function countIteration(): void {
    if (isCounted) return
    isCounted = true
    void yieldToEventLoop().then(nextIteration)
  }

  function resume(socket: Socket): void {
    if (socket.destroyed) return
    held.add(socket)
    countIteration()
  }

  function watch(socket: Socket): void {
    const [parse] = socket.listeners('data') as Parse[]
    if (parse === undefined) return
    hasAccepted = true
    countIteration()
    let last = iteration
    let headers = 0
    socket.off('data', parse)
    socket.once('close', () => held.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      countIteration()
      if (last !== iteration) headers = 0
      last = iteration
      let at = 0
      const mayBegin = (): boolean => headers === 0 || (headers < HEADERS_AN_ITERATION_MAX && further < FURTHER_AN_ITERATION_MAX)
      while (at < chunk.length && isWanted(socket)) {
        const found = chunk.indexOf(HEADERS_END, at + REQUEST_BYTES_MIN - HEADERS_END.length)
        const end = found < 0 ? chunk.length : found + HEADERS_END.length
        // The rest of a body begins nothing, and is what a request waits for that has begun.
        if (found >= 0) {
          if (!mayBegin()) break
          if (headers > 0) further += 1
          headers += 1
        }
        parse(at === 0 && end === chunk.length ? chunk : chunk.subarray(at, end))
        at = end
      }
      if (at === chunk.length || socket.destroyed || socket.writableEnded) return
      if (!socket.isPaused()) {
        socket.pause()
        resume(socket)
      }
      socket.unshift(chunk.subarray(at))
    })
  }
  return { watch, resume }
}

/** Not of one that is closed, or that will be once its last answer has left. */
function isWanted(socket: Socket): boolean {
  return !socket.isPaused() && !socket.destroyed && !socket.writableEnded
}
