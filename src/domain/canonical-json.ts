/** Canonical JSON: keys sorted by code unit and no white space, so that equal values have equal bytes. */

/** Approximate characters per chunk: few enough to let other work in between, enough to be worth a write. */
const CHUNK_CHARS = 65_536

/** Replaces a value before it is written. An iterable of strings stands for one long string that needs no escaping, such as base64. */
type Encode = (value: unknown) => unknown

/**
 * Canonical JSON of plain data (objects, arrays, strings, finite numbers, booleans, null) in chunks, so that a large value is never in
 * memory twice. Undefined properties are left out, as in JSON.stringify. `encode` may replace any value, and is called just before that
 * value is written.
 */
export function* canonicalJson(value: unknown, encode: Encode = (plain) => plain): Generator<string, void> {
  let pending = ''
  for (const piece of pieces(value, encode)) {
    pending += piece
    if (pending.length < CHUNK_CHARS) continue
    yield pending
    pending = ''
  }
  if (pending !== '') yield pending
}

function* pieces(given: unknown, encode: Encode): Generator<string, void> {
  const value = encode(given)
  if (Array.isArray(value)) yield* arrayPieces(value, encode)
  else if (isParts(value)) yield* partPieces(value)
  else if (typeof value === 'object' && value !== null) yield* objectPieces(value as Readonly<Record<string, unknown>>, encode)
  else if (typeof value === 'string' && value.length > CHUNK_CHARS) yield* textPieces(value)
  else yield JSON.stringify(value)
}

function isParts(value: unknown): value is Iterable<string> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function* partPieces(parts: Iterable<string>): Generator<string, void> {
  yield '"'
  yield* parts
  yield '"'
}

/** Equal to JSON.stringify: surrogate pairs are not split, since JSON.stringify would escape each half. */
function* textPieces(text: string): Generator<string, void> {
  yield '"'
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + CHUNK_CHARS, text.length)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    yield JSON.stringify(text.slice(at, end)).slice(1, -1)
  }
  yield '"'
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function* arrayPieces(items: readonly unknown[], encode: Encode): Generator<string, void> {
  yield '['
  for (const [at, item] of items.entries()) {
    if (at > 0) yield ','
    yield* pieces(item, encode)
  }
  yield ']'
}

function* objectPieces(object: Readonly<Record<string, unknown>>, encode: Encode): Generator<string, void> {
  const keys = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
  yield '{'
  for (const [at, key] of keys.entries()) {
    yield `${at > 0 ? ',' : ''}${JSON.stringify(key)}:`
    yield* pieces(object[key], encode)
  }
  yield '}'
}
