/** `engram mcp`: a memory for a client that starts this program. */
import { processEnvironment } from '../../config.js'
import { usageFailure } from '../console/failure.js'
import { serveMcp, UsageError } from '../mcp/serve-mcp.js'

export interface McpOptions {
  readonly url?: string
  readonly session?: string
  readonly data?: string
}

/** Serves until the client is gone. Throws CommandFailure for invalid options. */
export async function runMcp(options: McpOptions): Promise<void> {
  const environment = processEnvironment()
  const token = environment['ENGRAM_TOKEN'] ?? ''
  await serveMcp({ ...options, environment, ...(token !== '' && { token }) }).catch((error: unknown) => {
    throw error instanceof UsageError ? usageFailure(error.message) : error
  })
}
