/**
 * Edits a chat request as bytes. Parsing and rewriting it would change what is only passed through: integers above 2^53, `1.0`, duplicate
 * fields. Every source here was parsed before, so it is valid JSON.
 */
import { createPace, isPauseDue, type Pace, type Pieces } from '../../domain/pieces.js'
import { jsonParts } from '../wire/answer-json.js'

/** Bytes scanned in one piece of work. */
const LOOK_BYTES = 64 * 1024

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

interface Member {
  readonly name: string
  readonly whole: Span
  readonly value: Span
}

/** Returns the edited request. Everything else keeps its bytes, except whitespace between the outermost members. */
export function* editChat(source: Buffer, { dropped, inserted }: ChatEdit): Pieces<Buffer> {
  const pace = createPace()
  const kept = (yield* membersOf(source, pace)).filter(({ name }) => name !== dropped)
  // Of duplicate members the last one counts, for JSON.parse and most other readers.
  const messages = kept.findLast(({ name }) => name === 'messages')
  const parts: Buffer[] = []
  for (const member of kept) {
    const { whole, value } = member
    parts.push(Buffer.from(parts.length === 0 ? '{' : ','))
    if (inserted === null || member !== messages) parts.push(source.subarray(whole.start, whole.end))
    else {
      const { place, text } = yield* placeOf(source, value, inserted, pace)
      parts.push(source.subarray(whole.start, place), Buffer.from(text), source.subarray(place, whole.end))
    }
  }
  parts.push(Buffer.from(parts.length === 0 ? '{}' : '}'))
  return Buffer.concat(parts)
}

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

function* membersOf(source: Buffer, pace: Pace): Pieces<Member[]> {
  const members: Member[] = []
  let at = skipBlanks(source, source.indexOf('{') + 1)
  while (at < source.length && source[at] !== CLOSE_OBJECT) {
    const nameEnd = yield* endOf(source, at, pace)
    const start = skipBlanks(source, skipBlanks(source, nameEnd) + 1)
    const end = yield* endOf(source, start, pace)
    const name = JSON.parse(source.toString('utf8', at, nameEnd)) as string
    members.push({ name, whole: { start: at, end }, value: { start, end } })
    at = skipComma(source, end)
  }
  return members
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
