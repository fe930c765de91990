/** Answers on connections whose bytes never became a request, in the same shape as every other error. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413
}

const DETAIL_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'Malformed HTTP request',
  408: 'The request did not arrive in time',
  413: 'Request body too large',
  431: 'Request header fields too large'
}

/** Writes a status line by hand, as Node has no response object here, and closes the connection. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = STATUS_OF_CODE[error.code ?? ''] ?? 400
  // Bytes after a response that has begun would be read as a part of it.
  if (socket.writable && socket.bytesWritten === 0) {
    const body = JSON.stringify({ detail: DETAIL_OF_STATUS[status] })
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
        `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
    )
  }
  socket.destroy()
}
