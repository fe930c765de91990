/** `engram mcp`: a memory for a client that starts this program, by the Model Context Protocol on standard input and output. */
import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { processEnvironment } from '../../config.js'
import { SESSION_ID_PATTERN } from '../../domain/limits.js'
import { SESSION_DEFAULT } from '../../mcp/calls/service.js'
import { usageFailure } from '../console/failure.js'
import { connectRemote, startEmbedded } from '../service/mcp-calls.js'

export interface McpOptions {
  /** Base URL of a running service. Absent: a service in this process, with lasting memory. */
  readonly url?: string
  /** Session of calls that name none. Default: `default`. */
  readonly session?: string
  /** Data folder of the service in this process, created if missing. Default: `.engram` in the home directory. */
  readonly data?: string
}

/**
 * Serves until the client closes its end of the input. Throws CommandFailure for invalid options, and as the start of a service does when
 * the one in this process cannot start.
 */
export async function runMcp({ url, session = SESSION_DEFAULT, data = join(homedir(), '.engram') }: McpOptions): Promise<void> {
  if (!SESSION_ID_PATTERN.test(session)) throw usageFailure('The session has to be 1 to 128 letters, digits, _ and -')
  if (url !== undefined && !isHttpUrl(url)) throw usageFailure('The address of the service has to begin with http:// or https://')
  const signal = signalOfProcess()
  // The protocol's library takes longer to load than the rest of the command line.
  const [{ serveStreams }, calls] = await Promise.all([import('../../mcp/stdio-door.js'), openCalls(url, data)])
  try {
    const streams = { input: process.stdin, output: process.stdout }
    await serveStreams(streams, { ...calls, session, newKey: () => randomUUID() }, signal)
  } finally {
    await calls.close()
  }
}

function openCalls(url: string | undefined, data: string) {
  const environment = processEnvironment()
  const token = environment['ENGRAM_TOKEN'] ?? ''
  return url === undefined ? startEmbedded(data, environment) : connectRemote({ url, ...(token !== '' && { token }) })
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function signalOfProcess(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
