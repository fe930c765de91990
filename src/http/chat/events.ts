/** Parses server-sent events from bytes in arbitrary chunks, and bounds how much of one event is held. */
import { createParser } from 'eventsource-parser'

export interface StreamEvent {
  /** Empty unless the stream names the event. */
  readonly name: string
  readonly data: string
}

interface EventReader {
  push(bytes: Uint8Array): void
  /** The stream has ended. A last event without its empty line still counts, because some services omit it. */
  end(): void
  /** Upper bound on the characters of the incomplete event; comments since the last event are included. */
  chars(): number
  /** Ignores everything from now on. */
  stop(): void
}

/**
 * Maximum characters of one event, including its unfinished line. Pieces of an answer have some hundreds; audio and image parts stay below
 * this.
 */
const EVENT_CHARS_MAX = 4_194_304

interface EventListeners {
  readonly event: (event: StreamEvent) => void
  /** An event was too large to hold. Nothing is read after it. */
  readonly overflow: () => void
}

/** Skips comments and unknown fields; invalid UTF-8 becomes U+FFFD. */
export function createEventReader(listeners: EventListeners): EventReader {
  const decoder = new TextDecoder()
  let heldChars = 0
  let isStopped = false
  const parser = createParser({
    maxBufferSize: EVENT_CHARS_MAX,
    onEvent({ event: name = '', data }) {
      heldChars = 0
      if (!isStopped) listeners.event({ name, data })
    },
    onError({ type }) {
      if (type !== 'max-buffer-size-exceeded') return
      isStopped = true
      listeners.overflow()
    }
  })

  function read(text: string): void {
    if (isStopped) return
    heldChars += text.length
    parser.feed(text)
    // The text after the last event belongs to the next one.
    if (heldChars === 0) heldChars = text.length
  }
  function stop(): void {
    isStopped = true
    parser.reset()
  }

  return {
    chars: () => (isStopped ? 0 : heldChars),
    stop,
    push: (bytes) => read(decoder.decode(bytes, { stream: true })),
    end() {
      // Completes the last event, also when a CR was its last character.
      read(`${decoder.decode()}\n\n\n`)
      heldChars = 0
    }
  }
}
