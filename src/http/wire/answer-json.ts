/** Writes the JSON of an answer by fields and items, so that a long list is never one text and is made only as fast as it is read. */

/**
 * Yields the text that `JSON.stringify` returns, in parts: one for each item of the value or of a list among its fields, and one for each
 * entry of a `toJsonObject`. `value` is plain data, and must not change until the last part is taken.
 */
export function* jsonParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* listParts(value)
  else if (isPlain(value)) yield* objectParts(Object.entries(value))
  else yield JSON.stringify(value)
}

/** An object on the wire whose names are ids. Held as a Map, because building a long object would take milliseconds. */
export function toJsonObject<Value>(entries: Iterable<readonly [string, Value]>): Readonly<Record<string, Value>> {
  const object = new Map(entries)
  // Typed as an object, because it is used only in answers.
  return Object.assign(object, { toJSON: () => Object.fromEntries(object) }) as object as Readonly<Record<string, Value>>
}

/** Total characters, and those of the longest part, estimated without making the text: escapes may make it longer. */
export interface AnswerSize {
  readonly chars: number
  readonly longest: number
}

export function sizeOfAnswer(value: unknown): AnswerSize {
  const lists = Array.isArray(value) ? [value] : isPlain(value) ? Object.values(value) : []
  let chars = 0
  let longest = 0
  for (const field of lists) {
    for (const item of isDivided(field) ? field : [field]) {
      const own = charsOf(item)
      chars += own
      longest = Math.max(longest, own)
    }
  }
  return { chars, longest }
}

function* objectParts(entries: Iterable<readonly [string, unknown]>): Generator<string> {
  let separator = '{'
  for (const [name, field] of entries) {
    const json = isDivided(field) ? '' : (JSON.stringify(field) as string | undefined)
    if (json === undefined) continue
    yield `${separator}${JSON.stringify(name)}:${json}`
    if (Array.isArray(field)) yield* listParts(field)
    else if (field instanceof Map) yield* objectParts(field as ReadonlyMap<string, unknown>)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

function* listParts(list: readonly unknown[]): Generator<string> {
  let separator = '['
  for (const item of list) {
    yield `${separator}${(JSON.stringify(item) as string | undefined) ?? 'null'}`
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/** Whether a field is written item by item. */
function isDivided(field: unknown): field is Iterable<unknown> {
  return Array.isArray(field) || field instanceof Map
}

/** A value with a `toJSON` method is left to JSON.stringify. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !('toJSON' in value) && !Array.isArray(value)
}

/** Estimated characters of punctuation, or of a number with its separator. */
const TOKEN_CHARS = 8

function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length + TOKEN_CHARS
  if (typeof value !== 'object' || value === null) return TOKEN_CHARS
  let chars = TOKEN_CHARS
  for (const name in value)
    chars += (Array.isArray(value) ? 0 : name.length + TOKEN_CHARS) + charsOf((value as Record<string, unknown>)[name])
  return chars
}
