/**
 * Loads what speaks the protocol when it is first asked for. Its library holds the event loop for 45 ms where it is loaded at once: in
 * pieces, the longest of about 20 ms, requests of others are served between them.
 */
const PIECES = [
  () => import('@modelcontextprotocol/sdk/server/zod-compat.js'),
  () => import('@modelcontextprotocol/sdk/types.js'),
  () => import('@modelcontextprotocol/sdk/server/mcp.js'),
  () => import('./tools/offered.js')
]

export async function loadHttpDoor(yieldToEventLoop: () => Promise<void>) {
  for (const load of PIECES) {
    await load()
    await yieldToEventLoop()
  }
  return import('./http-door.js')
}
