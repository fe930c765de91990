/** Reads JSON texts in pieces of work: run by run where they are long, with the same result as if they were parsed at once. */
import type { Pieces } from '../../domain/pieces.js'
import { type LargeValue, noJson, refusal, type Run, scanJson } from './json-scan.js'

type Fields = Record<string, unknown>

/** Bytes that are parsed at once: some 5 ms where they are names of many small objects, below 1 ms otherwise. */
const RUN_BYTES = 16 * 1024

/** Values that are looked through in one piece of work. */
const LOOK_VALUES = 10_000

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

// A byte order mark is one at the beginning of all, not of a run.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * What JSON.parse makes of the UTF-8 text, which must not be empty. Throws HttpProblem 422 for what is not JSON, or not JSON that
 * is safe to work with. Parses `runBytes` at once, or one text or number that is longer.
 */
export function* readJson(body: Buffer, runBytes = RUN_BYTES): Pieces<unknown> {
  const isMarked = BYTE_ORDER_MARK.every((byte, at) => body[at] === byte)
  const around = yield* scanJson(body, { start: isMarked ? BYTE_ORDER_MARK.length : 0, runBytes })
  const values = yield* readList(body, around.runs)
  if (values.length !== 1) throw noJson()
  const [value] = values
  if (yield* isPoisoned(value)) throw refusal('JSON with a forbidden key: __proto__ or constructor.prototype')
  return value
}

function* readLarge(body: Buffer, large: LargeValue): Pieces<object> {
  return large.isList ? yield* readList(body, large.runs) : yield* readObject(body, large.runs)
}

function* readList(body: Buffer, runs: readonly Run[]): Pieces<unknown[]> {
  const list: unknown[] = []
  for (const run of runs) {
    const items = parseRun(body, run, '[]') as unknown[]
    if (items.length === 0 && runs.length > 1) throw noJson()
    if (run.inner === null) for (const item of items) list.push(item)
    else list.push(yield* readLarge(body, run.inner))
    yield
  }
  return list
}

function* readObject(body: Buffer, runs: readonly Run[]): Pieces<Fields> {
  const object: Fields = {}
  for (const run of runs) {
    const fields = parseRun(body, run, '{}') as Fields
    const names = Object.keys(fields)
    if (names.length === 0 && runs.length > 1) throw noJson()
    const inner = run.inner === null ? null : yield* readLarge(body, run.inner)
    for (const name of names) setField(object, name, inner ?? fields[name])
    yield
  }
  return object
}

/** A large value within it is left out: an empty list stands for it. */
function parseRun(body: Buffer, { from, to, inner }: Run, brackets: string): unknown {
  const textOf = (start: number, end: number): string => utf8.decode(body.subarray(start, end))
  try {
    const text = inner === null ? textOf(from, to) : `${textOf(from, inner.from)}[]${textOf(inner.to + 1, to)}`
    return JSON.parse(`${brackets.charAt(0)}${text}${brackets.charAt(1)}`)
  } catch {
    throw noJson()
  }
}

function setField(object: Fields, name: string, value: unknown): void {
  // An assignment would set the prototype.
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

/** Level by level rather than recursive: the depth of what came in must not become the depth of our stack. */
function* isPoisoned(root: unknown): Pieces<boolean> {
  let level: object[] = isContainer(root) ? [root] : []
  let seen = 0
  while (level.length > 0) {
    const next: object[] = []
    for (const container of level) {
      if (hasForbiddenKey(container)) return true
      for (const child of Array.isArray(container) ? (container as unknown[]) : Object.values(container)) {
        if (isContainer(child)) next.push(child)
        if (++seen % LOOK_VALUES === 0) yield
      }
    }
    level = next
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function hasForbiddenKey(container: object): boolean {
  if (Object.hasOwn(container, '__proto__')) return true
  if (!Object.hasOwn(container, 'constructor')) return false
  const inner: unknown = container.constructor
  return isContainer(inner) && Object.hasOwn(inner, 'prototype')
}
