/**
 * Loads the protocol's library on first use. Loaded at once it blocks the event loop for 45 ms; in steps, the longest of some 20 ms, other
 * requests are served in between.
 */
const PIECES = [
  () => import('@modelcontextprotocol/sdk/server/zod-compat.js'),
  () => import('@modelcontextprotocol/sdk/types.js'),
  () => import('@modelcontextprotocol/sdk/server/mcp.js'),
  () => import('./tools/offered.js'),
  // Its first use loads the web's request and response into the process.
  async () => Request
]

export async function loadHttpDoor(yieldToEventLoop: () => Promise<void>) {
  for (const load of PIECES) {
    await load()
    await yieldToEventLoop()
  }
  return import('./http-door.js')
}
