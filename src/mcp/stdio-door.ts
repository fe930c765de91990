/** The protocol over standard input and output, for a client that starts this process. */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { noJson, noMessage, withCheckedRequests } from './message-check.js'
import { createMcpServer, type McpOptions } from './server.js'

/** Maximum bytes of a message: twice the default limit of a body, to allow for escapes. */
const MESSAGE_BYTES_MAX = 8 * 1024 * 1024

interface Streams {
  readonly input: Readable
  readonly output: Writable
}

/** Serves until the client closes its end, or `signal` is aborted. Anything else written to `output` breaks the protocol. */
export async function serveStreams({ input, output }: Streams, options: McpOptions, signal: AbortSignal): Promise<void> {
  const server = createMcpServer(options)
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve
    for (const end of ['end', 'close', 'error'] as const) input.once(end, () => resolve())
    output.once('error', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MESSAGE_BYTES_MAX })
  const checked = withCheckedRequests(transport)
  checked.onerror = (error) => {
    // The library does not answer a line that it cannot parse. Other failures concern no request.
    const wrong = error instanceof SyntaxError ? noJson() : error.name === 'ZodError' ? noMessage() : null
    if (wrong !== null) void transport.send(wrong as JSONRPCMessage)
  }
  await server.connect(checked)
  await ended
  await server.close()
}
