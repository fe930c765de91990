/** Passes a streamed answer on while it is read aside. */
import { pipeline, type Readable, Transform } from 'node:stream'
import type { AnswerShares } from '../contract/contracts.js'
import { createStreamedAnswer } from './answer.js'

interface RelayOptions {
  readonly keep: (text: string) => Promise<void>
  /** Memory for what is read aside. Where it throws, nothing is kept of the answer, which is passed on all the same. */
  readonly holds: AnswerShares['holds']
}

/** Bytes of a character of what is read aside: in its line and in the event, at two bytes each where it is not Latin. */
const CHAR_BYTES = 4

/**
 * The same bytes, no faster than they are read. `keep` gets the answer once, when it is whole, and is waited for before the end is
 * passed on: a reader of all of it finds it in the memory. A reader that leaves ends `body`; an answer that was whole by then is
 * kept nevertheless. `keep` never rejects.
 */
export function relayAnswer(body: AsyncIterable<Uint8Array>, { keep, holds }: RelayOptions): Readable {
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

  const relay = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      answer.push(chunk)
      holdMore()
      if (answer.isDone()) void keepOnce().then(() => done(null, chunk))
      else done(null, chunk)
    },
    flush(done) {
      answer.end()
      void keepOnce().then(() => done())
    },
    destroy(error, done) {
      void keepOnce()
      done(error)
    }
  })
  return passOn(body, relay)
}

/** `body` through `through`. A failure of the one reaches the reader of the other. */
export function passOn(body: AsyncIterable<Uint8Array>, through: Transform): Readable {
  return pipeline(body, through, () => undefined)
}
