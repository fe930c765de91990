/**
 * A look at the bytes of a JSON text before any of it is parsed: refuses what is too much of it, and finds where it can be divided. What a
 * run of whole items holds is left to the parser, as is most of what is no JSON.
 */
import type { Pieces } from '../../domain/pieces.js'
import { HttpProblem } from '../contract/problem.js'

/** Levels of nesting. A chat completion with tools stays below 20, and recursive code after us must not overflow. */
const DEPTH_MAX = 64

/** Lists and objects of a body: so many, and one more for every so many bytes. The densest export has one in 80 bytes. */
const CONTAINERS_FREE = 10_000
const CONTAINER_BYTES = 40

/** Fields of one object, repetitions counted. Large ones are slow to go through. */
const FIELDS_MAX = 10_000

/** Bytes of a text that are looked at one by one: most end within them, and where one does not a native search is faster. */
const NEAR_BYTES = 64

/** Bytes that are looked at in one piece of work. */
const LOOK_BYTES = 64 * 1024

/** A list or object that is too large to be parsed at once. */
export interface LargeValue {
  readonly isList: boolean
  /** Its brackets. */
  readonly from: number
  readonly to: number
  readonly runs: readonly Run[]
}

/** Consecutive items of a list, or fields of an object, without the commas around them. */
export interface Run {
  readonly from: number
  readonly to: number
  /** Where not null, the run is one item, which this is the value of. */
  readonly inner: LargeValue | null
}

interface ScanOptions {
  readonly start: number
  /** Bytes from which a list or object is large, and from which a run ends with its item. */
  readonly runBytes: number
  /** Lists and objects that it may hold. Default: as many as a body. */
  readonly containersMax?: number
}

/** What has been seen of a list or object that is not yet closed. */
interface Level {
  from: number
  isList: boolean
  fields: number
  itemFrom: number
  runFrom: number
  runs: Run[] | null
  /** Of the item that is being looked at. */
  inner: LargeValue | null
}

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\:,[]{}')

/** One for each byte outside of texts that is passed over: most are. */
const MEANS_NOTHING = Uint8Array.from({ length: 256 }, (_, byte) => Number(!'":,[]{}'.includes(String.fromCharCode(byte))))

/**
 * The text from `start` on as a list's inside: its only item is the value. Throws HttpProblem 422 for what is too much, and for brackets
 * that do not fit together.
 */
export function* scanJson(body: Buffer, { start, runBytes, containersMax = containersOf(body) }: ScanOptions): Pieces<LargeValue> {
  /** By depth, made when they are first met: most texts have two. */
  const levels: Level[] = [createLevel()]
  let depth = 0
  let level = open(levels[0] as Level, start - 1, true)
  let containers = 0
  for (let at = start; at < body.length;) {
    for (const pauseAt = at + LOOK_BYTES; at < pauseAt && at < body.length; at++) {
      const byte = body[at] as number
      if (MEANS_NOTHING[byte] === 1) continue
      if (byte === QUOTE) {
        at = endOfText(body, at + 1)
      } else if (byte === COMMA) {
        if (level.inner !== null || at - level.runFrom >= runBytes) endRun(level, at)
        level.itemFrom = at + 1
      } else if (byte === COLON) {
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

/** The place of its quote, or where the body ends without one. */
function endOfText(body: Buffer, from: number): number {
  let at = from
  for (; at < from + NEAR_BYTES && at < body.length; at++) {
    if (body[at] === QUOTE) return at
    if (body[at] === BACKSLASH) at++
  }
  for (;;) {
    const quote = body.indexOf(QUOTE as number, at)
    if (quote === -1) return body.length
    let backslashes = 0
    while (quote - backslashes > at && body[quote - backslashes - 1] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote
    at = quote + 1
  }
}

export function noJson(): HttpProblem {
  return refusal('JSON decode error')
}

function refusal(msg: string): HttpProblem {
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

/** What comes before it in its list or object is a run of its own. */
function keep(level: Level, inner: LargeValue): void {
  // An item with two values is none, and would be a run that is too long.
  if (level.inner !== null) throw noJson()
  if (level.itemFrom > level.runFrom) endRun(level, level.itemFrom - 1)
  level.inner = inner
}

function close(level: Level, to: number): LargeValue {
  endRun(level, to)
  return { isList: level.isList, from: level.from, to, runs: level.runs as Run[] }
}
