/** A model hub on a real socket. Answers as Hugging Face does, serves large files from another address, and breaks off on demand. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { writeTinyBert } from './tiny-bert.js'

const COMMIT = 'c0ffee'.padEnd(40, '0')

export interface ModelHub {
  readonly url: string
  /** Makes the next answers with this file end after these numbers of bytes. */
  cut(name: string, afterBytes: readonly number[]): void
  /** Makes the next answer with this file stall after so many bytes. */
  hold(name: string, afterBytes: number): void
  /** Returns the ranges requested of this file; `''` for the whole file. */
  rangesOf(name: string): readonly string[]
}

/** Writes a tiny model with 8-bit weights into the folder. Returns its own folder. */
export function writePublishedModel(folder: string, id: string): string {
  writeTinyBert(folder, id)
  const weights = join(folder, id, 'onnx/model.onnx')
  renameSync(weights, join(folder, id, 'onnx/model_quantized.onnx'))
  return join(folder, id)
}

/** `models`: folder of each model by id. Stops when the test ends. */
export async function startHub(t: Test, models: Readonly<Record<string, string>>, { ranges = true } = {}): Promise<ModelHub> {
  const cuts = new Map<string, number[]>()
  const holds = new Map<string, number>()
  const asked = new Map<string, string[]>()

  function send(name: string, path: string, request: IncomingMessage, response: ServerResponse): void {
    const content = readFileSync(path)
    const range = request.headers.range ?? ''
    asked.set(name, [...(asked.get(name) ?? []), range])
    const start = ranges ? Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0) : 0
    const part = content.subarray(start)
    response.writeHead(start > 0 ? 206 : 200, { 'content-length': String(part.length) })
    const held = holds.get(name)
    holds.delete(name)
    if (held !== undefined) {
      response.write(part.subarray(0, held))
      return
    }
    const cut = cuts.get(name)?.shift()
    if (cut === undefined) response.end(part)
    // The written bytes have to leave before the connection ends.
    else response.write(part.subarray(0, cut), () => setImmediate(() => response.destroy()))
    if (cut === 0) response.flushHeaders()
  }
  const server = createServer((request, response) => {
    const [, id = '', , name = ''] = /^\/([^/]+\/[^/]+)\/(resolve\/[^/]+|elsewhere)\/(.+)$/.exec(request.url ?? '') ?? []
    const folder = models[id]
    const path = folder === undefined ? '' : join(folder, name)
    if (folder === undefined || !existsSync(path)) response.writeHead(404).end()
    else if (request.url?.includes('/elsewhere/') === true) send(name, path, request, response)
    else if (name.endsWith('.onnx')) response.writeHead(302, linkedHeaders(path, `/${id}/elsewhere/${name}`)).end()
    else if (request.method === 'HEAD') response.writeHead(200, ownHeaders(path)).end()
    else send(name, path, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (name, afterBytes) => cuts.set(name, [...afterBytes]),
    hold: (name, afterBytes) => void holds.set(name, afterBytes),
    rangesOf: (name) => asked.get(name) ?? []
  }
}

function linkedHeaders(path: string, location: string): Record<string, string> {
  const content = readFileSync(path)
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { location, 'x-repo-commit': COMMIT, 'x-linked-etag': `"${sha256}"`, 'x-linked-size': String(content.length) }
}

function ownHeaders(path: string): Record<string, string> {
  const content = readFileSync(path)
  const blob = createHash('sha1')
    .update(`blob ${String(content.length)}\0`)
    .update(content)
    .digest('hex')
  return { 'x-repo-commit': COMMIT, etag: `"${blob}"`, 'content-length': String(content.length) }
}
