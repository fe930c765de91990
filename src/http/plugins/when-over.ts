/** The end of a request, for all who have something to release then. */
import type { ServerResponse } from 'node:http'

/** Releases to run when a request is over: one listener for all of them. */
const endings = new WeakMap<ServerResponse, (() => void)[]>()

/**
 * Calls `free` once, when the answer was sent or the connection was lost; at once if that has already happened, since Node.js does not
 * report it again.
 */
export function whenOver(raw: ServerResponse, free: () => void): void {
  if (raw.destroyed) return free()
  const waiting = endings.get(raw)
  if (waiting !== undefined) {
    waiting.push(free)
    return
  }
  const frees = [free]
  endings.set(raw, frees)
  const end = (): void => frees.splice(0).forEach((giveBack) => giveBack())
  raw.once('finish', end)
  raw.once('close', end)
}
