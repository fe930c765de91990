/** Validators of plain data, composed field by field. They only accept or reject a value, and never change it. */
import { isPlainObject } from '../../src/domain/json-object.js'
import { DIMENSION_MAX, FLOAT32_MAX } from '../../src/domain/limits.js'

/** Validator: whether a value is a `T`. */
export interface Shape<T> {
  (value: unknown): boolean
  /** Phantom field: type of the accepted values, for the compiler only. */
  readonly lets?: T
}

/** Upper bound on the characters of a subject (from a token), an id or a name. Some come in a path, whose parts have no own limit. */
const NAME_CHARS_MAX = 16_384

/** Upper bound on lists without a limit of their own: what a node can hold, such as memories of a session or sessions of a subject. */
export const LIST_MAX = 1_000_000

/** A field that may be missing. */
interface Optional<T> {
  readonly optional: Shape<T>
}

/** A shape for each field of `T`, marked `Optional` where the field may be missing. */
export type FieldsOf<T> = {
  readonly [Name in keyof T]-?: object extends Pick<T, Name> ? Optional<Exclude<T[Name], undefined>> : Shape<T[Name]>
}

/** Accepts a plain object with these fields and no others. */
export function fields<T extends object>(shapes: FieldsOf<T>): Shape<T> {
  const known = Object.entries<Shape<unknown> | Optional<unknown>>(shapes).map(([name, shape]) => {
    return typeof shape === 'function' ? { name, shape, isNeeded: true } : { name, shape: shape.optional, isNeeded: false }
  })
  return (value) => {
    if (!isPlainObject(value)) return false
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

/** Accepts a list of up to `max` items. */
export function list<T>(shape: Shape<T>, max: number): Shape<readonly T[]> {
  return (value) => Array.isArray(value) && value.length <= max && value.every(shape)
}

/** Accepts a string of at most `max` UTF-16 units. */
export function text(max: number): Shape<string> {
  return (value) => typeof value === 'string' && value.length <= max
}

/** Accepts a name or an id. */
export const name = text(NAME_CHARS_MAX)
export const names = list(name, LIST_MAX)

/** Accepts a finite number from `min` to `max`. */
export function number(min = -Infinity, max = Infinity): Shape<number> {
  return (value) => typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max
}

/** Accepts a finite number above 0, up to `max`. */
export function positive(max = Infinity): Shape<number> {
  return (value) => typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= max
}

export function integer(min: number, max: number): Shape<number> {
  return (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
}

export const yes: Shape<true> = (value) => value === true
export const flag: Shape<boolean> = (value) => typeof value === 'boolean'

/** Accepts any value: its reader validates it. */
export const anything: Shape<unknown> = () => true

/** Accepts the numbers of a vector, as a client sends them. */
export const numbers: Shape<readonly number[]> = (value) => Array.isArray(value) && areCoordinates(value)

/** Accepts a vector as nodes keep it. */
export const vector: Shape<Float32Array> = (value) => value instanceof Float32Array && areCoordinates(value)

function areCoordinates(value: Float32Array | readonly unknown[]): boolean {
  if (value.length === 0 || value.length > DIMENSION_MAX) return false
  for (const coordinate of value) {
    // Negated, so that NaN is rejected too.
    if (typeof coordinate !== 'number' || !(Math.abs(coordinate) <= FLOAT32_MAX)) return false
  }
  return true
}
