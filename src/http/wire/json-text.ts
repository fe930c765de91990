/** Parses JSON in pieces of work, run by run where it is long, with the same result as JSON.parse. */
import type { Pieces } from '../../domain/pieces.js'
import { withoutWords } from './json-numbers.js'
import { type LargeValue, type LongText, noJson, refusal, type Run, scanJson } from './json-scan.js'

type Fields = Record<string, unknown>

/** Bytes parsed at once: some 5 ms if they are names of many small objects, otherwise below 1 ms. */
const RUN_BYTES = 16 * 1024

/** Bytes of a long string parsed at once. */
const TEXT_BYTES = 64 * 1024

/** Values checked in one piece of work. */
const LOOK_VALUES = 10_000

const BACKSLASH = 0x5c
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

// A byte order mark counts only at the start of the body, not of a run.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface ReadOptions {
  /** Bytes parsed at once, except for a single longer number. */
  readonly runBytes?: number
  /** Bytes of a longer string that are parsed at once; at least 16. No name of a field may be longer. */
  readonly textBytes?: number
  /**
   * True: `NaN` and `Infinity` are not JSON. Default: they are read as infinities, so that the check of the fields refuses them by name.
   */
  readonly isStrict?: boolean
  /** True: any number of lists and objects, for texts that no client has sent. Default: as many as a body may have. */
  readonly isAnySize?: boolean
  /** What is kept of the text. Default: all of it. */
  readonly sieve?: Sieve
}

/** What is kept of a text whose parsed form could take more memory than there is: a list of `{}` takes twenty times its bytes. */
export interface Sieve {
  /** Names of the fields that are kept, of any object. The others are parsed and dropped. */
  readonly fields: ReadonlySet<string>
  /** Maximum values kept, lists and objects included. A text with more is refused. */
  readonly valuesMax: number
}

/** The bytes of a body, and how they are parsed. */
interface Source {
  readonly body: Buffer
  readonly isStrict: boolean
  readonly textBytes: number
  readonly sieve: Sieve | undefined
  /** Number of values kept so far. Counted only with a sieve. */
  kept: number
}

/**
 * Parses a non-empty UTF-8 text as JSON.parse does, and drops keys that could reach a prototype when the result is copied. Throws
 * HttpProblem 422 for a text that is not JSON or exceeds the limits.
 */
export function* readJson(body: Buffer, options: ReadOptions = {}): Pieces<unknown> {
  const { runBytes = RUN_BYTES, textBytes = TEXT_BYTES, isStrict = false, isAnySize = false, sieve } = options
  const isMarked = BYTE_ORDER_MARK.every((byte, at) => body[at] === byte)
  const start = isMarked ? BYTE_ORDER_MARK.length : 0
  const around = yield* scanJson(body, { start, runBytes, textBytes, ...(isAnySize && { containersMax: Infinity }) })
  const values = yield* readList({ body, isStrict, textBytes, sieve, kept: 0 }, around.runs)
  if (values.length !== 1) throw noJson()
  const [value] = values
  yield* dropDangerousKeys(value)
  return value
}

/** Of what is not kept, an empty value. */
function* readLarge(source: Source, large: LargeValue | LongText, isKept = true): Pieces<object | string> {
  if (isKept) countKept(source)
  if (large.runs === null) return yield* readText(source, large, isKept)
  return large.isList ? yield* readList(source, large.runs, isKept) : yield* readObject(source, large.runs, isKept)
}

/** Reads a string part by part. Surrogates of a pair may be in two parts: the parts are joined as they are. */
function* readText({ body, textBytes }: Source, { from, to }: LongText, isKept: boolean): Pieces<string> {
  const parts: string[] = []
  for (let at = from + 1; at < to;) {
    const end = to - at <= textBytes ? to : endOfPart(body, at, at + textBytes)
    const part = parsed(() => JSON.parse(`"${utf8.decode(body.subarray(at, end))}"`) as string)
    if (isKept) parts.push(part)
    at = end
    yield
  }
  return parts.join('')
}

/** Bytes of the longest escape, and of the longest character of UTF-8. */
const ESCAPE_BYTES = 6
const CHARACTER_BYTES = 4

/** Returns where the part of a string may end that begins at `from`: at or before `to`, where no character and no escape is cut. */
function endOfPart(body: Buffer, from: number, to: number): number {
  let end = to
  for (let back = 1; back < CHARACTER_BYTES && isInCharacter(body[end] as number); back++) end -= 1
  const escape = body.lastIndexOf(BACKSLASH, end - 1)
  if (escape < end - ESCAPE_BYTES + 1) return end
  let backslashes = 0
  while (escape - backslashes >= from && body[escape - backslashes] === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1 ? escape : end
}

/** Whether a byte of UTF-8 continues a character. */
function isInCharacter(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0
}

function* readList(source: Source, runs: readonly Run[], isKept = true): Pieces<unknown[]> {
  const list: unknown[] = []
  for (const run of runs) {
    const items = parseRun(source, run, '[]') as unknown[]
    if (items.length === 0 && runs.length > 1) throw noJson()
    if (run.inner !== null) {
      const item = yield* readLarge(source, run.inner, isKept)
      if (isKept) list.push(item)
    } else if (isKept) for (const item of items) list.push(sifted(source, item))
    yield
  }
  return list
}

function* readObject(source: Source, runs: readonly Run[], isKept: boolean): Pieces<Fields> {
  const object: Fields = {}
  for (const run of runs) {
    const fields = parseRun(source, run, '{}') as Fields
    const names = Object.keys(fields)
    if (names.length === 0 && runs.length > 1) throw noJson()
    const kept = names.filter((name) => isKept && isWanted(source, name))
    const inner = run.inner === null ? null : yield* readLarge(source, run.inner, kept.length > 0)
    for (const name of kept) setField(object, name, inner ?? sifted(source, fields[name]))
    yield
  }
  return object
}

function isWanted({ sieve }: Source, name: string): boolean {
  return sieve === undefined || sieve.fields.has(name)
}

function countKept(source: Source): void {
  if (source.sieve !== undefined && ++source.kept > source.sieve.valuesMax) throw refusal('JSON with too many values')
}

/** What is kept of a value of one run: its depth is that of the text at most. */
function sifted(source: Source, value: unknown): unknown {
  if (source.sieve === undefined) return value
  countKept(source)
  if (Array.isArray(value)) return value.map((item) => sifted(source, item))
  if (!isContainer(value)) return value
  const object: Fields = {}
  for (const [name, field] of Object.entries(value)) if (isWanted(source, name)) setField(object, name, sifted(source, field))
  return object
}

/** An empty list takes the place of a large value or a long text within the run. */
function parseRun({ body, isStrict }: Source, { from, to, inner }: Run, brackets: string): unknown {
  const textOf = (start: number, end: number): string => utf8.decode(body.subarray(start, end))
  return parsed(() => {
    const items = inner === null ? textOf(from, to) : `${textOf(from, inner.from)}[]${textOf(inner.to + 1, to)}`
    const text = `${brackets.charAt(0)}${items}${brackets.charAt(1)}`
    return (isStrict ? JSON.parse(text) : parseLeniently(text)) as unknown
  })
}

function parsed<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch {
    throw noJson()
  }
}

function parseLeniently(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const numbers = withoutWords(text)
    if (numbers === null) throw error
    return JSON.parse(numbers)
  }
}

function setField(object: Fields, name: string, value: unknown): void {
  // A plain assignment would set the prototype.
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

/**
 * Removes every own `__proto__`, and `constructor` if it has a `prototype`. As data they are harmless, but copying field by field would set
 * a prototype. Unknown fields are ignored anyway, so nothing is refused for them. Works level by level rather than recursively: the depth
 * of the input must not become the depth of the stack.
 */
function* dropDangerousKeys(root: unknown): Pieces<void> {
  let level: object[] = isContainer(root) ? [root] : []
  let seen = 0
  while (level.length > 0) {
    const next: object[] = []
    for (const container of level) {
      dropOwn(container as Fields)
      for (const child of Array.isArray(container) ? (container as unknown[]) : Object.values(container)) {
        if (isContainer(child)) next.push(child)
        if (++seen % LOOK_VALUES === 0) yield
      }
    }
    level = next
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function dropOwn(container: Fields): void {
  if (Object.hasOwn(container, '__proto__')) Reflect.deleteProperty(container, '__proto__')
  // The inherited one is a function, and no container.
  const inner: unknown = container.constructor
  if (isContainer(inner) && Object.hasOwn(inner, 'prototype')) Reflect.deleteProperty(container, 'constructor')
}
