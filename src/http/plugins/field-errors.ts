/** Translates TypeBox's findings into the interface's form: `{loc, msg, type}`. */
import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import type { FieldError } from '../contract/problem.js'
import { flawOf } from '../../domain/text/storable.js'

/** Maximum findings per request: thousands of bad numbers do not need thousands of findings. */
const ERRORS_MAX = 16

type Wording = (schema: TSchema, value: unknown) => readonly [type: string, msg: string]

// JSON has no infinity, but 1e400 is parsed as it.
const notFinite = ['finite_number', 'Input should be a finite number'] as const
const fractional = ['int_from_float', 'Input should be a valid integer, got a number with a fractional part'] as const
const notText: Wording = () => ['string_type', 'Input should be a valid string']
const tooSmall: Wording = ({ minimum }) => ['greater_than_equal', `Input should be greater than or equal to ${minimum}`]
const tooLarge: Wording = ({ maximum }) => ['less_than_equal', `Input should be less than or equal to ${maximum}`]
const notAbove: Wording = ({ exclusiveMinimum }) => ['greater_than', `Input should be greater than ${exclusiveMinimum}`]
const notBelow: Wording = ({ exclusiveMaximum }) => ['less_than', `Input should be less than ${exclusiveMaximum}`]
const tooShort: Wording = ({ minLength }) => ['string_too_short', `String should have at least ${characters(minLength)}`]
const tooLong: Wording = ({ maxLength }) => ['string_too_long', `String should have at most ${characters(maxLength)}`]

const WORDINGS: Partial<Record<ValueErrorType, Wording>> = {
  [ValueErrorType.ObjectRequiredProperty]: () => ['missing', 'Field required'],
  [ValueErrorType.Object]: () => ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
  [ValueErrorType.String]: notText,
  [ValueErrorType.StringMinLength]: tooShort,
  [ValueErrorType.StringMaxLength]: tooLong,
  [ValueErrorType.StringPattern]: ({ pattern }) => ['string_pattern_mismatch', `String should match pattern '${pattern}'`],
  [ValueErrorType.Boolean]: () => ['bool_type', 'Input should be a valid boolean'],
  [ValueErrorType.Array]: () => ['list_type', 'Input should be a valid list'],
  [ValueErrorType.ArrayMinItems]: ({ minItems }) => ['too_short', `List should have at least ${minItems} item(s) after validation`],
  [ValueErrorType.ArrayMaxItems]: ({ maxItems }) => ['too_long', `List should have at most ${maxItems} item(s) after validation`],
  [ValueErrorType.Integer]: (_, value) => {
    if (typeof value !== 'number') return ['int_type', 'Input should be a valid integer']
    return Number.isFinite(value) ? fractional : notFinite
  },
  [ValueErrorType.Number]: (_, value) => (typeof value === 'number' ? notFinite : ['float_type', 'Input should be a valid number']),
  [ValueErrorType.IntegerMinimum]: tooSmall,
  [ValueErrorType.NumberMinimum]: tooSmall,
  [ValueErrorType.IntegerMaximum]: tooLarge,
  [ValueErrorType.NumberMaximum]: tooLarge,
  [ValueErrorType.IntegerExclusiveMinimum]: notAbove,
  [ValueErrorType.NumberExclusiveMinimum]: notAbove,
  [ValueErrorType.IntegerExclusiveMaximum]: notBelow,
  [ValueErrorType.NumberExclusiveMaximum]: notBelow,
  [ValueErrorType.Kind]: ownKind
}

/** Returns the first error of each field, at most 16. Each path starts with `root`. */
export function toFieldErrors(findings: Iterable<ValueError>, root: readonly (string | number)[]): FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const finding of innermost(findings)) {
    const error = toFieldError(finding, root)
    const key = error.loc.join('/')
    if (!errors.has(key)) errors.set(key, error)
    if (errors.size >= ERRORS_MAX) break
  }
  return [...errors.values()]
}

/** Every union here is a type or null, so the finding for the type is the useful one. */
function* innermost(findings: Iterable<ValueError>): Generator<ValueError> {
  for (const finding of findings) {
    const inner = finding.type === ValueErrorType.Union ? finding.errors[0] : undefined
    if (inner === undefined) yield finding
    else yield* innermost(inner)
  }
}

function toFieldError({ type: found, schema, path, value, message }: ValueError, root: readonly (string | number)[]): FieldError {
  const [type, msg] = WORDINGS[found]?.(schema, value) ?? ['value_error', message]
  return { loc: [...root, ...toSegments(path)], msg, type }
}

/** Array indexes are numbers in `loc`. The interface has no object fields whose names are numbers. */
function toSegments(pointer: string): (string | number)[] {
  const names = pointer.split('/').slice(1)
  return names.map((name) => (/^\d+$/.test(name) ? Number(name) : name.replaceAll('~1', '/').replaceAll('~0', '~')))
}

function ownKind(schema: TSchema, value: unknown): readonly [string, string] {
  if (Array.isArray(schema['enum'])) return ['enum', `Input should be ${list(schema['enum'] as string[])}`]
  if (typeof value !== 'string') return notText(schema, value)
  const flaw = flawOf(value)
  if (flaw === 'surrogate') return ['string_unicode', 'Input should be a valid string: half of a surrogate pair stands alone']
  if (flaw === 'nul') return ['value_error', 'Input should not contain the NUL character']
  return value.length < Number(schema['minLength']) ? tooShort(schema, value) : tooLong(schema, value)
}

function list(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

function characters(count: unknown): string {
  return count === 1 ? '1 character' : `${String(count)} characters`
}
