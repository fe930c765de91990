/** Passes a streamed answer on while it is read aside. */
import { pipeline, Transform, type Readable } from 'node:stream'
import { createStreamedAnswer } from './chat-answer.js'

/**
 * The same bytes, no faster than they are read. `keep` gets the answer once, when it is whole, and is waited for before the end is
 * passed on: who has read all of it finds it in the memory. A reader that leaves ends `body`; an answer that was whole by then is
 * kept nevertheless. `keep` never rejects.
 */
export function relayAnswer(body: AsyncIterable<Uint8Array>, keep: (text: string) => Promise<void>): Readable {
  const answer = createStreamedAnswer()
  let kept: Promise<void> | undefined
  const keepOnce = (): Promise<void> => {
    const { text } = answer
    if (text !== null) kept ??= keep(text)
    return kept ?? Promise.resolve()
  }

  const relay = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      answer.push(chunk)
      if (answer.isDone) void keepOnce().then(() => done(null, chunk))
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

/** `body` through `through`. A failure of the one reaches whoever reads the other. */
export function passOn(body: AsyncIterable<Uint8Array>, through: Transform): Readable {
  return pipeline(body, through, () => undefined)
}
