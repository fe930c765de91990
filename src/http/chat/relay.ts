/**
 * Passes a streamed answer on and extracts its text meanwhile, in turns by subject: a fast stream would otherwise block the event loop for
 * everybody.
 */
import { Duplex, pipeline, type Readable } from 'node:stream'
import type { Pieces } from '../../domain/pieces.js'
import type { AnswerShares } from '../contract/contracts.js'
import { createStreamedAnswer, type StreamedAnswer } from './answer.js'
import { withLastEvent } from './last-event.js'

interface RelayOptions {
  /** Runs the extraction when the subject's turn comes. Rejects only for a bug in the work. */
  readonly runFairly: (work: Pieces<void>) => Promise<void>
  readonly keep: (text: string) => Promise<void>
  /** Takes memory for the extraction. If it throws, the answer is passed on but not stored. */
  readonly holds: AnswerShares['holds']
}

/** Bytes per character of the extraction: it is held in its line and in the event, at two bytes each if it is not Latin. */
const CHAR_BYTES = 4

/** Bytes processed in one piece of work: some 150 of the shortest events, about a millisecond. */
const PIECE_BYTES = 8 * 1024

/**
 * Passes `body` on, only as fast as the extraction and the caller read it, and with an event for its failure. `keep` receives the answer
 * once, when it is complete, and is awaited before the end is passed on, so that a caller who reads to the end finds the answer in memory.
 * A caller that leaves ends `body`; an answer that was complete by then is still stored. `keep` never rejects.
 */
export function relayAnswer(body: AsyncIterable<Uint8Array>, { runFairly, keep, holds }: RelayOptions): Readable {
  const answer = createStreamedAnswer()
  let heldChars = 0
  const holdMore = (): void => {
    const chars = answer.chars()
    if (chars <= heldChars) return
    try {
      holds({ heap: CHAR_BYTES * (chars - heldChars), buffers: 0 })
      heldChars = chars
    } catch {
      answer.giveUp()
    }
  }
  let kept: Promise<void> | undefined
  const keepOnce = (): Promise<void> => {
    const text = answer.text()
    if (text !== null) kept ??= keep(text)
    return kept ?? Promise.resolve()
  }

  async function take(work: Pieces<void>): Promise<void> {
    await runFairly(work)
    holdMore()
    // If the reader left meanwhile the answer may be complete, and is stored here.
    if (answer.isDone() || relay.destroyed) await keepOnce()
  }
  /** Set while the reader does not read. */
  let goOn: (() => void) | null = null
  const relay = new Duplex({
    // Chunks that arrived while waiting for a turn are processed and passed on together.
    writev(pieces, done) {
      const bytes = Buffer.concat(pieces.map(({ chunk }) => chunk as Uint8Array))
      take(inPieces(answer, bytes)).then(() => {
        if (relay.push(bytes)) done()
        else goOn = done
      }, done)
    },
    read() {
      const next = goOn
      goOn = null
      next?.()
    },
    final(done) {
      take(answer.end())
        .then(keepOnce)
        .then(() => {
          relay.push(null)
          done()
        }, done)
    },
    destroy(error, done) {
      void keepOnce()
      done(error)
    }
  })
  return passOn(withLastEvent(body), relay)
}

function* inPieces(answer: StreamedAnswer, chunk: Uint8Array): Pieces<void> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
    yield* answer.push(chunk.subarray(at, at + PIECE_BYTES))
    yield
  }
}

/** Pipes `body` through `through`. A failure of `body` reaches the reader of `through`. */
export function passOn(body: AsyncIterable<Uint8Array>, through: Duplex): Readable {
  return pipeline(body, through, () => undefined)
}
