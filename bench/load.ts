/**
 * Sends requests over persistent connections, each after the previous answer on its connection. It uses bare sockets: the clients share the
 * processors with the service, and Node.js's own client takes more than twice as much of them.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { textOf } from './texts.js'

export interface Load {
  readonly url: string
  /** One for all, or one for each request. */
  readonly path: string | ((at: number) => string)
  readonly connections: number
  readonly requests: number
  readonly bodyOf: (at: number) => object
}

/** Returns the wall milliseconds of each request. Throws when one is not answered with 200. */
export async function sendLoad({ url, path, connections, requests, bodyOf }: Load): Promise<number[]> {
  const { host } = new URL(url)
  const tookMs: number[] = []
  let next = 0
  async function sendOn(socket: Socket): Promise<void> {
    for (let at = next++; at < requests; at = next++) {
      const startedMs = performance.now()
      const line = `POST ${typeof path === 'string' ? path : path(at)} HTTP/1.1`
      const body = JSON.stringify(bodyOf(at))
      const headers = `host: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(body))}`
      const answer = await ask(socket, `${line}\r\n${headers}\r\n\r\n${body}`)
      if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`${url}: ${line} was answered with ${answer}`)
      tookMs.push(performance.now() - startedMs)
    }
  }
  const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(url)))
  try {
    await Promise.all(sockets.map(sendOn))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return tookMs
}

/** What it reads has one character a byte. */
async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding('latin1')
  await once(socket, 'connect')
  return socket
}

/** Resolves with the whole answer, its head included. */
function ask(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const hear = (read: string): void => {
      answer += read
      if (!isWhole(answer)) return
      socket.off('data', hear).off('error', reject).off('close', lost)
      resolve(answer)
    }
    const lost = (): void => reject(new Error('The connection was closed before the answer'))
    socket.on('data', hear).on('error', reject).on('close', lost)
    socket.write(request)
  })
}

/** Length of the answer's body. One without comes in chunks. */
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i

/** Ends an answer in chunks. JSON contains no end of a line. */
const LAST_CHUNK = '\r\n0\r\n\r\n'

/** Whether an answer has come to its end. */
function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const length = LENGTH.exec(answer.slice(0, headEnd + 2))?.[1]
  return length === undefined ? answer.endsWith(LAST_CHUNK) : answer.length >= headEnd + 4 + Number(length)
}

/** Memories per request. */
const BATCH = 1_000

/** Creates sessions `${name}0`, `${name}1`, … with this many memories each. */
export async function fillSessions(
  url: string,
  { name, sessions, memories }: { name: string; sessions: number; memories: number }
): Promise<void> {
  await sendLoad({
    url,
    path: '/v1/session/create',
    connections: 4,
    requests: sessions,
    bodyOf: (at) => ({ session_id: `${name}${String(at)}` })
  })
  for (let from = 0; from < memories; from += BATCH) {
    const count = Math.min(BATCH, memories - from)
    const texts = Array.from({ length: count }, (_, offset) => ({ text: textOf(from + offset) }))
    for (let at = 0; at < sessions; at++) {
      const path = `/v1/session/${name}${String(at)}/memories`
      await sendLoad({ url, path, connections: 1, requests: 1, bodyOf: () => ({ memories: texts }) })
    }
  }
}
