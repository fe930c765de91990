/** An embedding service that returns the lexical embedder's vectors, and fails on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'

/** Length of a vector. */
export const SERVED_WIDTH = 64

/** Handles a request in place of the normal answer. */
export type Outage = (response: ServerResponse, texts: readonly string[]) => void

export interface EmbeddingServer {
  /** Base URL of its interface. */
  readonly url: string
  /** Null: it answers normally. */
  outage: Outage | null
}

/** Starts the server; stopped when the test ends. */
export async function startEmbeddingServer(t: Test): Promise<EmbeddingServer> {
  const server = createServer((request, response) => {
    void textsOf(request).then((texts) => (served.outage ?? answer)(response, texts))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const served: EmbeddingServer = { url: `http://127.0.0.1:${String(port)}/v1`, outage: null }
  return served
}

/** Answers as the interface defines, with a vector from `vectorOf` for each text. */
export function answer(
  response: ServerResponse,
  texts: readonly string[],
  vectorOf: (text: string) => unknown = (text) => [...lexicalVector(text, SERVED_WIDTH)]
): void {
  const data = texts.map((text, index) => ({ index, embedding: vectorOf(text) }))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
}

/** Texts of a request. */
export async function textsOf(request: IncomingMessage): Promise<string[]> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return (JSON.parse(body) as { input: string[] }).input
}
