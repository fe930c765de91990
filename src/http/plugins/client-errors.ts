/** Answers in the interface's shape the errors that Node.js would answer without a body or not at all. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Http } from '../contract/contracts.js'
import { HttpProblem } from '../contract/problem.js'
import { headerLines } from '../wire/header-lines.js'

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413
}

const DETAIL_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'Malformed HTTP request',
  405: 'Method Not Allowed',
  408: 'The request did not arrive in time',
  413: 'Request body too large',
  431: 'Request header fields too large'
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers complete requests that Node.js refuses before any handler sees them. */
export function registerServerRefusals(app: Http): void {
  // RFC 9110, 10.1.1. Requests with `100-continue` do not come here.
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify({ detail: 'Expectation Failed: only 100-continue is supported' })
    response.writeHead(417, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body)
  })
  // CONNECT would turn the connection into a tunnel. Without a listener Node.js closes it silently.
  app.server.on('connect', (_request, socket) => {
    if (socket instanceof Socket) refuseOn(socket, 405)
    else socket.destroy()
  })
  // The client reset the connection before Node.js knew its address: there is nobody to answer or to count.
  app.addHook('onRequest', ({ raw, ip }: { readonly raw: IncomingMessage; readonly ip: string | undefined }, _reply, done) => {
    if (ip === undefined) raw.socket.destroy()
    else done()
  })
  // RFC 9112, 3.2: HTTP/1.0 may omit Host. Nobody may send two, because each hop could read another one.
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (headerLines(raw, 'host').length > 1) {
      throw new HttpProblem(400, 'Malformed HTTP request: Host is given twice', { connection: 'close' })
    }
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      throw new HttpProblem(400, 'Malformed HTTP request: Host is missing', { connection: 'close' })
    }
    // RFC 9112, 6.1. Node.js decodes chunks only, and would take the coded content for the body.
    if ((raw.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
      throw new HttpProblem(400, 'Malformed HTTP request: the only supported transfer coding is chunked', { connection: 'close' })
    }
    done()
  })
}

/** Answers on connections whose bytes are no valid request. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  refuseOn(socket, STATUS_OF_CODE[error.code ?? ''] ?? 400)
}

/** Writes the response by hand, as there is no response object here, and closes the connection. */
function refuseOn(socket: Socket, status: number): void {
  // If a response has begun, further bytes would be read as part of it.
  if (socket.writable && socket.bytesWritten === 0) {
    const body = JSON.stringify({ detail: DETAIL_OF_STATUS[status] })
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
        `content-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
    )
  }
  socket.destroy()
}
