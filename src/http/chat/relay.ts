/** Passes a streamed answer on while it is read aside, in its subject's turns: a fast one would keep the event loop from everybody else. */
import { Duplex, pipeline, type Readable } from 'node:stream'
import { atOnce, type Pieces } from '../../domain/pieces.js'
import type { AnswerShares } from '../contract/contracts.js'
import { createStreamedAnswer, type StreamedAnswer } from './answer.js'
import { withLastEvent } from './last-event.js'

interface RelayOptions {
  /** Does the reading when the subject's turn has come. Never rejects but for a fault of the work. */
  readonly inTurns: (work: Pieces<void>) => Promise<void>
  readonly keep: (text: string) => Promise<void>
  /** Memory for what is read aside. Where it throws, nothing is kept of the answer, which is passed on all the same. */
  readonly holds: AnswerShares['holds']
}

/** Bytes of a character of what is read aside: in its line and in the event, at two bytes each where it is not Latin. */
const CHAR_BYTES = 4

/** Bytes that are read aside in one piece of work: some 150 of the shortest events, which take a millisecond. */
const PIECE_BYTES = 8 * 1024

/**
 * The same bytes, no faster than they are read, here and by the caller, and an event for their failure. `keep` gets the answer once, when
 * it is whole, and is waited for before the end is passed on: a reader of all of it finds it in the memory. A reader that leaves ends
 * `body`; an answer that was whole by then is kept nevertheless. `keep` never rejects.
 */
export function relayAnswer(body: AsyncIterable<Uint8Array>, { inTurns, keep, holds }: RelayOptions): Readable {
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
    await inTurns(work)
    holdMore()
    // Whose reader has left meanwhile is kept here: it may be whole by now.
    if (answer.isDone() || relay.destroyed) await keepOnce()
  }
  /** Set while nobody reads. */
  let goOn: (() => void) | null = null
  const relay = new Duplex({
    // What has come while it waited for its turn is read, and passed on, as one.
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
      take(atOnce(() => answer.end()))
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
    answer.push(chunk.subarray(at, at + PIECE_BYTES))
    yield
  }
}

/** `body` through `through`. A failure of the one reaches the reader of the other. */
export function passOn(body: AsyncIterable<Uint8Array>, through: Duplex): Readable {
  return pipeline(body, through, () => undefined)
}
