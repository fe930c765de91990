/** Reads server-sent events out of bytes that arrive in any pieces. HTML Standard, 9.2.6 (Interpreting an event stream). */

export interface StreamEvent {
  /** Empty unless the stream names it. */
  readonly name: string
  readonly data: string
}

export interface EventReader {
  push(bytes: Uint8Array): void
  /** The stream is over. An event that no empty line ended counts nevertheless: some services leave out the last one. */
  end(): void
  /** Characters of what is no whole event yet. */
  readonly chars: number
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

/** Lines end with LF, CR or CRLF; comments and unknown fields are skipped; invalid UTF-8 becomes U+FFFD. */
export function createEventReader(listeners: EventListeners): EventReader {
  const decoder = new TextDecoder()
  let line = ''
  let isAfterReturn = false
  let isOverflown = false
  let name = ''
  let data: string | null = null

  function dispatch(): void {
    if (data !== null) listeners.event({ name, data })
    name = ''
    data = null
  }

  function take(text: string): void {
    if (text === '') return dispatch()
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    else if (field === 'data') data = data === null ? value : `${data}\n${value}`
  }

  function read(text: string): void {
    const fresh = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') isAfterReturn = text.endsWith('\r')
    const [first = '', ...others] = fresh.split(/\r\n|\n|\r/)
    line += first
    for (const next of others) {
      take(line)
      line = next
    }
  }

  const chars = (): number => line.length + (data?.length ?? 0)
  function stop(): void {
    isOverflown = true
    line = ''
    data = null
  }

  return {
    get chars() {
      return chars()
    },
    stop,
    push(bytes) {
      if (isOverflown) return
      read(decoder.decode(bytes, { stream: true }))
      if (chars() <= EVENT_CHARS_MAX) return
      stop()
      listeners.overflow()
    },
    end() {
      read(decoder.decode())
      if (line !== '') take(line)
      line = ''
      dispatch()
    }
  }
}
