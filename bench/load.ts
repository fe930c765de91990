/** Sends requests over persistent connections, each after the previous answer on its connection. */
import { Agent, request } from 'node:http'
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
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const tookMs: number[] = []
  let next = 0
  async function sendOn(): Promise<void> {
    for (let at = next++; at < requests; at = next++) {
      const startedMs = performance.now()
      await send({ agent, url: url + (typeof path === 'string' ? path : path(at)), body: JSON.stringify(bodyOf(at)) })
      tookMs.push(performance.now() - startedMs)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, sendOn))
  } finally {
    agent.destroy()
  }
  return tookMs
}

function send({ agent, url, body }: { readonly agent: Agent; readonly url: string; readonly body: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${String(response.statusCode)}: ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
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
