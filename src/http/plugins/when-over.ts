/** The end of a request, for all who have something to release then. */
import type { ServerResponse } from 'node:http'

/** Releases to run when a request is over: one listener for all of them. */
const endings = new WeakMap<ServerResponse, ((isSent: boolean) => void)[]>()

/**
 * Calls `free` once, when the answer was sent or the connection was lost; at once if that has already happened, since Node.js does not
 * report it again. `isSent`: false if the connection was lost before.
 */
export function whenOver(raw: ServerResponse, free: (isSent: boolean) => void): void {
  if (raw.destroyed) return free(false)
  const waiting = endings.get(raw)
  if (waiting !== undefined) {
    waiting.push(free)
    return
  }
  const frees = [free]
  endings.set(raw, frees)
  const end = (isSent: boolean): void => {
    for (const giveBack of frees.splice(0)) giveBack(isSent)
  }
  raw.on('finish', () => end(true))
  raw.on('close', () => end(false))
}
