/** Reads server-sent events out of bytes that arrive in any pieces, and holds no more of one than it may. */
import { createParser } from 'eventsource-parser'

export interface StreamEvent {
  /** Empty unless the stream names it. */
  readonly name: string
  readonly data: string
}

export interface EventReader {
  push(bytes: Uint8Array): void
  /** The stream is over. An event that no empty line ended counts nevertheless: some services leave out the last one. */
  end(): void
  /** Characters of what is no whole event yet, at most: comments that came since the last one count too. */
  chars(): number
  /** Nothing is read from now on. */
  stop(): void
}

/** Characters of one event, its unfinished line included. Pieces of an answer are some hundreds; sound and pictures in parts stay below. */
const EVENT_CHARS_MAX = 4_194_304

export interface EventListeners {
  readonly event: (event: StreamEvent) => void
  /** An event was larger than may be held. Nothing is read after it. */
  readonly overflow: () => void
}

/** Comments and unknown fields are skipped; invalid UTF-8 becomes U+FFFD. */
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
    // What follows the last event of the text is part of it.
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
      // Also where a CR was the last of it, an empty line ends what is left.
      read(`${decoder.decode()}\n\n\n`)
      heldChars = 0
    }
  }
}
