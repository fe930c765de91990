/**
 * Scans the bytes of a JSON text before any of it is parsed: refuses what exceeds the limits, and finds where it can be divided. The
 * contents of a run of whole items are left to the parser, as are most syntax errors.
 */
import type { Pieces } from '../../domain/pieces.js'
import { HttpProblem } from '../contract/problem.js'

/** Maximum nesting depth. A chat completion with tools stays below 20, and recursive code behind this must not overflow the stack. */
const DEPTH_MAX = 64

/** Maximum lists and objects of a body: the free number, plus one per so many bytes. The densest export has one in 80 bytes. */
const CONTAINERS_FREE = 10_000
const CONTAINER_BYTES = 40

/** Maximum fields of one object, duplicates included. Large objects are slow to iterate. */
const FIELDS_MAX = 10_000

/** Bytes of a string that are checked one by one. Most end within them; for longer ones a native search is faster. */
const NEAR_BYTES = 64

/** Quotes looked at in one piece of work, in a string of many. */
const QUOTES_A_PIECE = 4_096

/** Bytes scanned in one piece of work. */
const LOOK_BYTES = 64 * 1024

/** A list or object that is too large to be parsed at once. */
export interface LargeValue {
  readonly isList: boolean
  /** Positions of its brackets. */
  readonly from: number
  readonly to: number
  readonly runs: readonly Run[]
}

/** A string that is too long to be parsed at once: positions of its quotes. */
export interface LongText {
  readonly from: number
  readonly to: number
  readonly runs: null
}

/** Consecutive items of a list, or fields of an object, without the commas around them. */
export interface Run {
  readonly from: number
  readonly to: number
  /** If not null, the run is a single item, and this is its value. */
  readonly inner: LargeValue | LongText | null
}

interface ScanOptions {
  readonly start: number
  /** Size in bytes from which a list or object is large, and after which a run ends with its current item. */
  readonly runBytes: number
  /** Size in bytes above which a string is long. */
  readonly textBytes: number
  /** Maximum lists and objects. Default: as for a body. */
  readonly containersMax?: number
}

/** Scan state of a list or object that is not yet closed. */
interface Level {
  from: number
  isList: boolean
  fields: number
  itemFrom: number
  runFrom: number
  runs: Run[] | null
  /** Large value of the current item, if any. */
  inner: LargeValue | LongText | null
}

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\:,[]{}')

/** 1 for each byte that has no meaning outside of strings, which is most of them. */
const MEANS_NOTHING = Uint8Array.from({ length: 256 }, (_, byte) => Number(!'":,[]{}'.includes(String.fromCharCode(byte))))

/**
 * Scans the text from `start` on as the inside of a list whose only item is the value. Throws HttpProblem 422 when a limit is exceeded or
 * brackets do not match.
 */
export function* scanJson(body: Buffer, options: ScanOptions): Pieces<LargeValue> {
  const { start, runBytes, textBytes, containersMax = containersOf(body) } = options
  /** By depth, created on demand: most texts need two. */
  const levels: Level[] = [createLevel()]
  let depth = 0
  let level = open(levels[0] as Level, start - 1, true)
  let containers = 0
  for (let at = start; at < body.length;) {
    for (const pauseAt = at + LOOK_BYTES; at < pauseAt && at < body.length; at++) {
      const byte = body[at] as number
      if (MEANS_NOTHING[byte] === 1) continue
      if (byte === QUOTE) {
        const from = at
        at = endOfShortText(body, at + 1) ?? (yield* endOfText(body, at + 1 + NEAR_BYTES))
        if (at >= body.length) throw noJson()
        if (at - from > textBytes) keep(level, { from, to: at, runs: null })
      } else if (byte === COMMA) {
        if (level.inner !== null || at - level.runFrom >= runBytes) endRun(level, at)
        level.itemFrom = at + 1
      } else if (byte === COLON) {
        if (level.isList) throw noJson()
        if (level.inner !== null) throw refusal(`JSON with a field name of more than ${textBytes} bytes`)
        if (++level.fields > FIELDS_MAX) throw refusal(`JSON with an object of more than ${FIELDS_MAX} fields`)
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (depth === DEPTH_MAX) throw refusal(`JSON nested deeper than ${DEPTH_MAX} levels`)
        if (++containers > containersMax) {
          throw refusal(`JSON of more than ${CONTAINERS_FREE} lists and objects, and one more for every ${CONTAINER_BYTES} bytes`)
        }
        level = open((levels[++depth] ??= createLevel()), at, byte === OPEN_LIST)
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (depth === 0) throw noJson()
        const closed = level
        level = levels[--depth] as Level
        if (closed.runs !== null || closed.inner !== null || at - closed.from >= runBytes) {
          if (closed.isList !== (byte === CLOSE_LIST)) throw noJson()
          keep(level, close(closed, at))
        }
      }
    }
    yield
  }
  if (depth > 0) throw noJson()
  return close(level, body.length)
}

function containersOf(body: Buffer): number {
  return CONTAINERS_FREE + body.length / CONTAINER_BYTES
}

/** Index of the closing quote, or the end of the body; null if it is not among the near bytes. */
function endOfShortText(body: Buffer, from: number): number | null {
  for (let at = from; at < from + NEAR_BYTES; at++) {
    if (at >= body.length) return body.length
    if (body[at] === QUOTE) return at
    if (body[at] === BACKSLASH) at++
  }
  return null
}

/** Index of the closing quote, or the end of the body. `from` may be in the middle of an escape. */
function* endOfText(body: Buffer, from: number): Pieces<number> {
  let at = from
  for (let quotes = 1; ; quotes++) {
    const quote = body.indexOf(QUOTE as number, at)
    if (quote === -1) return body.length
    let backslashes = 0
    while (body[quote - backslashes - 1] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote
    at = quote + 1
    if (quotes % QUOTES_A_PIECE === 0) yield
  }
}

export function noJson(): HttpProblem {
  return refusal('JSON decode error')
}

export function refusal(msg: string): HttpProblem {
  return new HttpProblem(422, [{ loc: ['body'], msg, type: 'json_invalid' }])
}

function createLevel(): Level {
  return { from: 0, isList: false, fields: 0, itemFrom: 0, runFrom: 0, runs: null, inner: null }
}

function open(level: Level, from: number, isList: boolean): Level {
  level.from = from
  level.isList = isList
  level.fields = 0
  level.itemFrom = from + 1
  level.runFrom = from + 1
  level.runs = null
  level.inner = null
  return level
}

function endRun(level: Level, to: number): void {
  level.runs ??= []
  level.runs.push({ from: level.runFrom, to, inner: level.inner })
  level.runFrom = to + 1
  level.inner = null
}

/** Ends the run of the items before it. */
function keep(level: Level, inner: LargeValue | LongText): void {
  // Two values in one item are invalid, and would give a run that is too long.
  if (level.inner !== null) throw noJson()
  if (level.itemFrom > level.runFrom) endRun(level, level.itemFrom - 1)
  level.inner = inner
}

function close(level: Level, to: number): LargeValue {
  endRun(level, to)
  return { isList: level.isList, from: level.from, to, runs: level.runs as Run[] }
}
