/** Reads long bodies in turns: receiving 64 KiB costs the event loop about as much as a short request. */
import type { Readable } from 'node:stream'

/** Calls `goOn` when the next chunk may be read: at once, or when its subject's turn comes. */
export type AdmitPiece = (goOn: () => void) => void

/** Pauses reading until the subject may continue. TCP makes the client wait. */
export function inTurn(payload: Readable, admit: AdmitPiece): void {
  const turn = { hasCome: false }
  admit(() => {
    turn.hasCome = true
    if (payload.isPaused()) payload.resume()
  })
  if (!turn.hasCome) payload.pause()
}

/** Reads a body in turns and discards it. */
export function discard(payload: Readable, admit: AdmitPiece): void {
  payload.on('data', () => inTurn(payload, admit))
  payload.resume()
}
