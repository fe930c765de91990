/**
 * Reads pipelined requests (RFC 9112, 9.3.2) a few at a time. Node.js reads 64 KiB of a connection at once and starts every request in
 * them, some 1,700, before those of anybody else. Here its parser gets them one after another, pausing the connection holds back the rest,
 * and a connection with many requests continues in a later iteration of the event loop.
 */
import type { Socket } from 'node:net'

/** End of a request's headers. */
const HEADERS_END = Buffer.from('\r\n\r\n')

/**
 * Length of the shortest request, `GET / HTTP/1.1` with an empty `Host`. Bounds how finely a body that consists of ends of headers is
 * split.
 */
const REQUEST_BYTES_MIN = 25

/** Header blocks of one connection per iteration: at 0.1 to 0.3 ms per request others wait a millisecond. */
const HEADERS_AN_ITERATION_MAX = 4

/**
 * Header blocks of all connections per iteration, not counting the first of each. None while connections are being accepted: Node.js
 * accepts one per iteration, so a client that connects after 300 others waits for 300 iterations.
 */
const FURTHER_AN_ITERATION_MAX = 16

interface Pipelines {
  /** Interposes between the connection and its parser from now on. */
  watch(socket: Socket): void
  /** Resumes reading in a later iteration: one connection per iteration. */
  resume(socket: Socket): void
}

type Parse = (chunk: Buffer) => void

/** Creates the pipelines of one server. */
export function createPipelines(yieldToEventLoop: () => Promise<void>): Pipelines {
  /** In the order in which they are resumed. */
  const held = new Set<Socket>()
  let iteration = 0
  let isCounted = false
  /** Header blocks in this iteration, not counting the first of each connection. */
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
        // The rest of a body starts no request, and a started one waits for it, so it is always passed on.
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

/** False for a connection that is paused or closed, or will be closed after its last answer. */
function isWanted(socket: Socket): boolean {
  return !socket.isPaused() && !socket.destroyed && !socket.writableEnded
}
