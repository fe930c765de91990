/** The official client, over HTTP or stdio. */
import process from 'node:process'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Test } from 'tap'

/** The inspected parts of a tool's answer. */
export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
}

export interface ToolCaller {
  readonly client: Client
  /** Calls a tool; the client validates the structured answer against the tool's schema. */
  tool(name: string, given?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<ToolAnswer>
}

/** Connects over streamable HTTP, until the test ends. */
export async function connectOverHttp(t: Test, url: string, headers: Record<string, string>): Promise<ToolCaller> {
  return connect(t, new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
}

/** Connects to a program that the client starts, until the test ends. Its standard error is collected in `errors`. */
export async function connectOverStdio(
  t: Test,
  { args, env, errors = [] }: { args: readonly string[]; env: Record<string, string>; errors?: string[] }
): Promise<ToolCaller> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'pipe' })
  transport.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  return connect(t, transport)
}

async function connect(t: Test, transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<ToolCaller> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  // The library's types are not compatible with exact optional properties.
  await client.connect(transport)
  t.teardown(() => client.close())
  // The client validates answers against the schemas that it has listed.
  await client.listTools()
  return {
    client,
    async tool(name, given = {}, options = {}) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: given }, undefined, options)
      const [first] = content as readonly { readonly text?: string }[]
      return { isError: isError === true, text: first?.text ?? '', structured: (structuredContent ?? {}) as ToolAnswer['structured'] }
    }
  }
}
