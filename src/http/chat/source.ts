/**
 * Edits a chat request as bytes. Parsing and rewriting it would change what is only passed through: integers above 2^53, `1.0`, duplicate
 * fields. Every source here was parsed before, so it is valid JSON.
 */
import { createPace, isPauseDue, type Pace, type Pieces } from '../../domain/pieces.js'
import { jsonParts } from '../wire/answer-json.js'

/** Bytes scanned, and members of the outermost object looked at, in one piece of work. */
const LOOK_BYTES = 64 * 1024
const MEMBERS_A_PIECE = 512

const [QUOTE = 0, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}')

/** Bytes of a string that are checked one by one. Most end within them; for longer ones a native search is faster. */
const NEAR_BYTES = 64

/** Outside of strings, bytes up to this one are whitespace. */
const SPACE = 0x20

export interface ChatEdit {
  /** Member of the outermost object to leave out. */
  readonly dropped: string
  /** A message to insert before index `at` of `messages`, which is not empty; `at` equal to its length appends. */
  readonly inserted: { readonly at: number; readonly message: object } | null
}

interface Span {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** What is kept of a request: the members between those that are dropped, and the list of messages. */
interface Kept {
  readonly runs: readonly Span[]
  readonly messages: Span | null
}

/** Returns the edited request. Everything else keeps its bytes, except whitespace around a dropped member and outside of the object. */
export function* editChat(source: Buffer, { dropped, inserted }: ChatEdit): Pieces<Buffer> {
  const pace = createPace()
  const { runs, messages } = yield* keptOf(source, dropped, pace)
  const added = inserted === null || messages === null ? null : yield* placeOf(source, messages, inserted, pace)
  const parts: Buffer[] = []
  for (const { start, end } of runs) {
    parts.push(parts.length === 0 ? OBJECT_START : MEMBER_END)
    if (added === null || added.place < start || added.place > end) parts.push(source.subarray(start, end))
    else parts.push(source.subarray(start, added.place), Buffer.from(added.text), source.subarray(added.place, end))
  }
  parts.push(parts.length === 0 ? EMPTY_OBJECT : OBJECT_END)
  return Buffer.concat(parts)
}

const [OBJECT_START, OBJECT_END, EMPTY_OBJECT, MEMBER_END] = ['{', '}', '{}', ','].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer
]

/** Serializes a request. */
export function* bytesOf(request: object): Pieces<Buffer> {
  const parts: Buffer[] = []
  let text = ''
  for (const part of jsonParts(request)) {
    text += part
    if (text.length < LOOK_BYTES) continue
    parts.push(Buffer.from(text))
    text = ''
    yield
  }
  return Buffer.concat([...parts, Buffer.from(text)])
}

/** Position and bytes of the inserted message. */
function* placeOf(
  source: Buffer,
  list: Span,
  { at, message }: { readonly at: number; readonly message: object },
  pace: Pace
): Pieces<{ readonly place: number; readonly text: string }> {
  const json = JSON.stringify(message)
  let start = skipBlanks(source, list.start + 1)
  let last = start
  for (let count = 0; start < list.end - 1; count++) {
    if (count === at) return { place: start, text: `${json},` }
    last = yield* endOf(source, start, pace)
    start = skipComma(source, last)
  }
  return { place: last, text: `,${json}` }
}

/** Of duplicate members the last one counts, for JSON.parse and most other readers. */
function* keptOf(source: Buffer, dropped: string, pace: Pace): Pieces<Kept> {
  const runs: Span[] = []
  let messages: Span | null = null
  let runStart: number | null = null
  let runEnd = 0
  let at = skipBlanks(source, source.indexOf('{') + 1)
  while (at < source.length && source[at] !== CLOSE_OBJECT) {
    const nameEnd = yield* endOf(source, at, pace)
    const start = skipBlanks(source, skipBlanks(source, nameEnd) + 1)
    const end = yield* endOf(source, start, pace)
    const name = JSON.parse(source.toString('utf8', at, nameEnd)) as string
    if (name === 'messages') messages = { start, end }
    if (name !== dropped) {
      runStart ??= at
      runEnd = end
    } else if (runStart !== null) {
      runs.push({ start: runStart, end: runEnd })
      runStart = null
    }
    if (isPauseDue(pace, 1 / MEMBERS_A_PIECE)) yield
    at = skipComma(source, end)
  }
  if (runStart !== null) runs.push({ start: runStart, end: runEnd })
  return { runs, messages }
}

function skipComma(source: Buffer, at: number): number {
  const next = skipBlanks(source, at)
  return source[next] === COMMA ? skipBlanks(source, next + 1) : next
}

function skipBlanks(source: Buffer, at: number): number {
  while ((source[at] ?? Infinity) <= SPACE) at += 1
  return at
}

/** Returns where the value that starts at `at` ends. */
function* endOf(source: Buffer, at: number, pace: Pace): Pieces<number> {
  let depth = 0
  let isText = false
  /** Start of the current string, or its last escape. */
  let textFrom = at
  let from = at
  let index = at
  for (; index < source.length; index++) {
    const byte = source[index] ?? 0
    if (index - from >= LOOK_BYTES) {
      if (isPauseDue(pace, (index - from) / LOOK_BYTES)) yield
      from = index
    }
    if (isText) {
      if (byte === BACKSLASH) textFrom = index += 1
      else if (byte === QUOTE) {
        isText = false
        if (depth === 0) break
      } else if (index - textFrom >= NEAR_BYTES) index = beforeQuote(source, index)
    } else if (byte === QUOTE) {
      isText = true
      textFrom = index
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
    else if (depth > 0) {
      if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && --depth === 0) break
    } else if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || byte <= SPACE) {
      // A number or a word ends before the next byte.
      index -= 1
      break
    }
  }
  if (isPauseDue(pace, (index - from) / LOOK_BYTES)) yield
  return Math.min(index + 1, source.length)
}

/** Index of the last byte before the next quote, or before the backslashes that escape it or each other. `at` is neither. */
function beforeQuote(source: Buffer, at: number): number {
  const quote = source.indexOf(QUOTE, at)
  let before = quote < 0 ? source.length : quote - 1
  while (before > at && source[before] === BACKSLASH) before -= 1
  return before
}
