/** The Model Context Protocol on standard input and output, for a running service, or for one in this process with lasting memory. */
import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../../config.js'
import { SESSION_DEFAULT } from '../../mcp/calls/service.js'
import { connectRemote, startEmbedded } from './mcp-calls.js'

export interface McpServeOptions {
  /** Base URL of a running service. Absent: a service in this process. */
  readonly url?: string
  /** Licence token for that service; never shown. */
  readonly token?: string
  /** Data folder of the service in this process, created if missing. Default: `.engram` in the home directory. */
  readonly data?: string
  /** Session of calls that name none: letters, digits, _ and -, at most 128. Default: `default`. */
  readonly session?: string
  /** Settings of the service in this process. Default: none. */
  readonly environment?: Environment
  /** Default: those of the process. Only the protocol is written to `output`; logs go to standard error. */
  readonly input?: Readable
  readonly output?: Writable
  /** Abort it to end. Default: SIGINT and SIGTERM. */
  readonly signal?: AbortSignal
}

/** The options are invalid. The message is for the user. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

const SESSION_ID = /^[A-Za-z0-9_-]{1,128}$/

/**
 * Serves until the client closes its end of the input. Rejects with UsageError for an invalid session id or an address that is not an http
 * URL, and as the start of a service does when the one in this process cannot start.
 */
export async function serveMcp(options: McpServeOptions = {}): Promise<void> {
  const { url, token, data = join(homedir(), '.engram'), session = SESSION_DEFAULT, environment = {} } = options
  if (!SESSION_ID.test(session)) throw new UsageError('The session has to be 1 to 128 letters, digits, _ and -')
  if (url !== undefined && !isHttpUrl(url)) throw new UsageError('The address of the service has to begin with http:// or https://')
  const signal = options.signal ?? signalOfProcess()
  // The protocol's library takes longer to load than the rest of the command line.
  const [{ serveStreams }, calls] = await Promise.all([
    import('../../mcp/stdio-door.js'),
    url === undefined ? startEmbedded(data, environment) : connectRemote({ url, ...(token !== undefined && { token }) })
  ])
  try {
    const streams = { input: options.input ?? process.stdin, output: options.output ?? process.stdout }
    await serveStreams(streams, { ...calls, session, newKey: () => randomUUID() }, signal)
  } finally {
    await calls.close()
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function signalOfProcess(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
