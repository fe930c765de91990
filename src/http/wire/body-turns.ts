/** Long bodies are read in turns: to receive 64 KiB costs the event loop about what a short request does. */
import type { Readable } from 'node:stream'

/** Lets the next piece be read, at once or when its subject may go on. */
export type AdmitPiece = (goOn: () => void) => void

/** Reads no further until the subject may go on. TCP tells the client to wait. */
export function inTurn(payload: Readable, admit: AdmitPiece): void {
  const turn = { hasCome: false }
  admit(() => {
    turn.hasCome = true
    if (payload.isPaused()) payload.resume()
  })
  if (!turn.hasCome) payload.pause()
}

/** Throws a body away as it comes, likewise. */
export function discard(payload: Readable, admit: AdmitPiece): void {
  payload.on('data', () => inTurn(payload, admit))
  payload.resume()
}
