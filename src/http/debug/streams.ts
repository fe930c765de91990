/** Live debug events: one stream per reader, only as fast as it reads. */
import { Readable } from 'node:stream'
import type { Recorder } from '../../debug/recorder.js'
import { removeFrom, setOf } from '../../domain/collections/by-key.js'
import { atOnce } from '../../domain/pieces.js'
import type { Clock } from '../../ports.js'
import type { Processor } from '../contract/contracts.js'
import { toFrames } from './events.js'

/** Events written in one time slice: at one kilobyte each, about what a socket accepts at once. */
const EVENTS_A_SLICE = 64

/** Maximum streams of one subject: one per open window. A further one ends the oldest. */
const STREAMS_MAX = 8

/** Milliseconds between heartbeats: below the 30 s after which impatient proxies close a silent connection. */
const HEARTBEAT_MS = 15_000

/** Milliseconds that a reader should wait after its connection broke. It then needs a new ticket. */
const RETRY_MS = 2_000

/** Maximum age of a stream in milliseconds. Its reader then needs a new ticket, for which its licence has to be valid still. */
export const STREAM_MS_MAX = 900_000

export interface StreamsOptions {
  readonly recorder: Recorder
  readonly clock: Clock
  readonly yieldToEventLoop: () => Promise<void>
  readonly takePieces: Processor['takePieces']
}

interface Streams {
  /** Opens a stream of server-sent events. Without `since` it begins now. */
  open(subject: string, since: number | undefined): Readable
  /** Ends all streams, so that a closing server need not wait for its readers. */
  endAll(): void
}

export function createStreams(options: StreamsOptions): Streams {
  const open = new Map<string, Set<EventStream>>()
  return {
    open(subject, since) {
      const own = setOf(open, subject)
      const [oldest] = own
      if (own.size >= STREAMS_MAX && oldest !== undefined) {
        // Now, because it closes later, and others may be opened meanwhile.
        own.delete(oldest)
        oldest.end()
      }
      const one = createEventStream(options, subject, since)
      own.add(one)
      one.stream.once('close', () => removeFrom(open, subject, one))
      return one.stream
    },
    endAll() {
      for (const own of open.values()) for (const one of own) one.end()
    }
  }
}

interface EventStream {
  readonly stream: Readable
  /** Idempotent. */
  end(): void
}

function createEventStream(options: StreamsOptions, subject: string, since: number | undefined): EventStream {
  const { recorder, clock, yieldToEventLoop, takePieces } = options
  let isWanted = false
  let isScheduled = false
  let isEnded = false
  const stream = new Readable({
    read() {
      isWanted = true
      schedule()
    },
    destroy(error, done) {
      follower.close()
      cancelBeat()
      cancelEnd()
      done(error)
    }
  })
  // Batches the events of one iteration of the event loop, and sends them after the work that caused them.
  function schedule(): void {
    if (!isWanted || isScheduled) return
    isScheduled = true
    void yieldToEventLoop().then(() => takePieces(subject, atOnce(send)))
  }
  function send(): void {
    isScheduled = false
    write(toFrames(follower.take(EVENTS_A_SLICE)))
  }
  function write(text: string): void {
    if (text === '' || stream.destroyed || isEnded) return
    isWanted = false
    stream.push(text)
  }
  function beat(): void {
    if (isWanted) write(':\n\n')
    cancelBeat = clock.after(HEARTBEAT_MS, beat)
  }

  function end(): void {
    if (isEnded) return
    isEnded = true
    // A reader that has stopped reading would never reach the end, and keep its place.
    if (stream.isPaused() || stream.readableLength > 0) stream.destroy()
    else stream.push(null)
  }

  const follower = recorder.follow(subject, { ...(since !== undefined && { since }), woken: schedule })
  let cancelBeat = clock.after(HEARTBEAT_MS, beat)
  const cancelEnd = clock.after(STREAM_MS_MAX, end)
  // Tells the reader at once that it is connected.
  stream.push(`retry: ${String(RETRY_MS)}\n\n`)
  return { stream, end }
}
