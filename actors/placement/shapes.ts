/** Shapes of plain data: what a value has to be made of, field by field. Nothing is changed, and nothing but a yes or no comes of it. */
import { DIMENSION_MAX, FLOAT32_MAX } from '../../src/domain/limits.js'

/** Whether a value is a `T`. */
export interface Shape<T> {
  (value: unknown): boolean
  /** What it lets through, for the compiler alone. */
  readonly lets?: T
}

/** Characters of a subject, which is a token's, and of an id or a name: some come in a path, where its parts have no limit of their own. */
const NAME_CHARS_MAX = 16_384

/** Of a list that has no limit of its own: what a node can hold, such as memories of a session, or sessions of a subject. */
export const LIST_MAX = 1_000_000

/** A field that may be missing. */
export interface Optional<T> {
  readonly optional: Shape<T>
}

/** A shape for each field; those that may be missing are marked. */
export type FieldsOf<T> = {
  readonly [Name in keyof T]-?: object extends Pick<T, Name> ? Optional<Exclude<T[Name], undefined>> : Shape<T[Name]>
}

/** A plain object of these fields and no other. */
export function fields<T extends object>(shapes: FieldsOf<T>): Shape<T> {
  const known = Object.entries<Shape<unknown> | Optional<unknown>>(shapes).map(([name, shape]) => {
    return typeof shape === 'function' ? { name, shape, isNeeded: true } : { name, shape: shape.optional, isNeeded: false }
  })
  return (value) => {
    if (!isPlain(value)) return false
    let found = 0
    for (const { name, shape, isNeeded } of known) {
      if (!Object.hasOwn(value, name)) {
        if (isNeeded) return false
        continue
      }
      found += 1
      if (!shape(value[name])) return false
    }
    return found === Object.keys(value).length
  }
}

export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape }
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value) => value === null || shape(value)
}

export function one<const T extends string | number | boolean>(...words: readonly T[]): Shape<T> {
  const known = new Set<unknown>(words)
  return (value) => known.has(value)
}

/** Up to `max` items. */
export function list<T>(shape: Shape<T>, max: number): Shape<readonly T[]> {
  return (value) => Array.isArray(value) && value.length <= max && value.every(shape)
}

/** At most `max` UTF-16 units. */
export function text(max: number): Shape<string> {
  return (value) => typeof value === 'string' && value.length <= max
}

/** An id counts as a name. */
export const name = text(NAME_CHARS_MAX)
export const names = list(name, LIST_MAX)

/** A finite number from `min` to `max`. */
export function number(min = -Infinity, max = Infinity): Shape<number> {
  return (value) => typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max
}

/** Above 0, to `max`. */
export function positive(max = Infinity): Shape<number> {
  return (value) => typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= max
}

export function integer(min: number, max: number): Shape<number> {
  return (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
}

export const yes: Shape<true> = (value) => value === true
export const flag: Shape<boolean> = (value) => typeof value === 'boolean'

/** Looked at by its reader. */
export const anything: Shape<unknown> = () => true

/** Numbers of a vector as a client gives them. */
export const numbers: Shape<readonly number[]> = (value) => Array.isArray(value) && areCoordinates(value)

/** The same as nodes keep them. */
export const vector: Shape<Float32Array> = (value) => value instanceof Float32Array && areCoordinates(value)

function areCoordinates(value: Float32Array | readonly unknown[]): boolean {
  if (value.length === 0 || value.length > DIMENSION_MAX) return false
  for (const coordinate of value) {
    // Not so for NaN either.
    if (typeof coordinate !== 'number' || !(Math.abs(coordinate) <= FLOAT32_MAX)) return false
  }
  return true
}

/** What a client's JSON or an object of ours is: no list, no map, nothing with a class. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
