/** JSON in one form only: keys sorted by code unit, no white space, so that equal values have equal bytes. */

/** Characters of a chunk, roughly: small enough to let other work in between, large enough to be worth a write. */
const CHUNK_CHARS = 65_536

type Encode = (value: unknown) => unknown

/**
 * The canonical JSON of plain data (objects, arrays, strings, finite numbers, booleans, null) in chunks, so that a large
 * value never stands in memory twice. A property that is undefined is left out, as in JSON.stringify. `encode` may replace
 * any value on the way, and is asked for each one when its turn comes.
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
  else if (typeof value === 'object' && value !== null) yield* objectPieces(value as Readonly<Record<string, unknown>>, encode)
  else yield JSON.stringify(value)
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
