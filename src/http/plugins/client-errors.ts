/** Answers in the interface's shape the errors that Node.js would answer without a body or not at all. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Http } from '../contract/typed-http.js'
import { HttpProblem } from '../contract/problem.js'
import type { Connections } from './connections.js'
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

/**
 * Maximum header lines of a request. Node.js leaves out those beyond a maximum without a word, and with them a token, a transfer coding or
 * a second host. Clients and proxies send some 40.
 */
const HEADER_LINES_MAX = 1_000

/** Answers what Node.js refuses before any handler sees it, and refuses what it lets through against the protocol. */
export function registerServerRefusals(app: Http, { whenAnswered }: Connections): void {
  app.server.maxHeadersCount = HEADER_LINES_MAX
  // Bytes that are no valid request, or too few of them in time.
  app.server.on('clientError', (error: Error & { readonly code?: string }, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !(socket instanceof Socket)) return
    const status = STATUS_OF_CODE[error.code ?? ''] ?? 400
    whenAnswered(socket, (isAnswered) => (isAnswered ? socket.destroySoon() : refuseOn(socket, status)))
  })
  // RFC 9110, 10.1.1: a body is asked for once somebody reads it. What is refused by its headers is refused without it, and Node.js then
  // closes the connection.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    app.server.emit('request', request, response)
  })
  // Requests with `100-continue` do not come here.
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify({ detail: 'Expectation Failed: only 100-continue is supported' })
    response.writeHead(417, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body)
  })
  // CONNECT would turn the connection into a tunnel. Without a listener Node.js closes it silently.
  app.server.on('connect', (_request, socket) => {
    if (socket instanceof Socket) whenAnswered(socket, () => refuseOn(socket, 405))
    else socket.destroy()
  })
  // The client reset the connection before Node.js knew its address: there is nobody to answer or to count.
  app.addHook('onRequest', ({ raw, ip }: { readonly raw: IncomingMessage; readonly ip: string | undefined }, _reply, done) => {
    if (ip === undefined) raw.socket.destroy()
    else done()
  })
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // Names and values alternate.
    if (raw.rawHeaders.length > 2 * HEADER_LINES_MAX) {
      throw new HttpProblem(431, `${DETAIL_OF_STATUS[431]}: at most ${HEADER_LINES_MAX} lines`, { connection: 'close' })
    }
    // Node.js also parses 0.9 and 2.0, for which the rules below do not hold.
    if (raw.httpVersionMajor !== 1) {
      throw new HttpProblem(400, 'Malformed HTTP request: only HTTP/1.0 and HTTP/1.1 are supported', { connection: 'close' })
    }
    // RFC 9112, 3.2: HTTP/1.0 may omit Host. Nobody may send two, because each hop could read another one.
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

/** Writes the response by hand, as there is no response object here, and closes the connection. */
function refuseOn(socket: Socket, status: number): void {
  const body = JSON.stringify({ detail: DETAIL_OF_STATUS[status] })
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `content-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  )
  socket.destroySoon()
}
