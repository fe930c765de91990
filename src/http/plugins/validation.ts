/**
 * Validates requests. Fastify's default coerces bodies (`5` becomes `"5"`), so each part has its own rule here: bodies are checked as they
 * are; paths and query strings, which can carry only text, are converted first.
 */
import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { FastifySchemaCompiler } from 'fastify'
import { type FieldError, HttpProblem } from '../contract/problem.js'
import { toFieldErrors } from './field-errors.js'

type Validated = { value: unknown } | { error: HttpProblem }

/** Names of the parts of a request in errors. */
const PART_NAMES: Readonly<Record<string, string>> = { body: 'body', querystring: 'query', params: 'path', headers: 'header' }

/** Compiles a TypeBox schema into a check for one part of a request. Unknown fields are accepted and ignored. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = PART_NAMES[httpPart ?? ''] ?? 'body'
  const checker = TypeCompiler.Compile(schema)
  const isCoercing = part !== 'body'

  return (received: unknown): Validated => {
    // Fastify passes null for a missing body, which counts as a JSON null. Some routes handle both themselves.
    if (received === null && schema['x-null-is-a-value'] !== true)
      return refuse([{ loc: ['body'], msg: 'Field required', type: 'missing' }])
    const { value, errors } = isCoercing ? convert(schema, received, part) : { value: received, errors: [] }
    if (errors.length > 0) return refuse(errors)
    if (!checker.Check(value)) return refuse(toFieldErrors(checker.Errors(value), [part]))
    const crossField = miscounted(schema, value, part)
    return crossField === undefined ? { value } : refuse([crossField])
  }
}

function refuse(errors: readonly FieldError[]): Validated {
  return { error: new HttpProblem(422, errors) }
}

/** Keywords of an object schema that name fields, with how many of these must be given. */
const COUNTED = [
  { keyword: 'x-exactly-one', words: 'exactly one', min: 1, max: 1 },
  { keyword: 'x-at-most-one', words: 'at most one', min: 0, max: 1 },
  { keyword: 'x-at-least-one', words: 'at least one', min: 1, max: Infinity }
] as const

function miscounted(schema: TSchema, value: unknown, part: string): FieldError | undefined {
  for (const { keyword, words, min, max } of COUNTED) {
    const names = schema[keyword] as readonly string[] | undefined
    if (names === undefined) continue
    const given = names.filter((name) => (value as Record<string, unknown>)[name] != null)
    const msg = `Give ${words} of ${names.join(' and ')}`
    if (given.length < min) return { loc: [part, names[0] ?? ''], msg, type: 'missing' }
    if (given.length > max) return { loc: [part, given[1] ?? ''], msg, type: 'value_error' }
  }
  return undefined
}

const WORDS_FOR_BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  t: true,
  y: true,
  1: true,
  false: false,
  no: false,
  off: false,
  f: false,
  n: false,
  0: false
}

interface Parser {
  /** Undefined when the text is not of the type. */
  parse(text: string): number | boolean | undefined
  readonly error: Omit<FieldError, 'loc'>
}

const PARSERS: Readonly<Record<string, Parser>> = {
  integer: {
    parse: (text) => (/^[+-]?\d+$/.test(text) ? Number(text) : undefined),
    error: { msg: 'Input should be a valid integer, unable to parse string as an integer', type: 'int_parsing' }
  },
  number: {
    parse: (text) => (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined),
    error: { msg: 'Input should be a valid number, unable to parse string as a number', type: 'float_parsing' }
  },
  boolean: {
    parse: (text) => WORDS_FOR_BOOLEANS[text.toLowerCase()],
    error: { msg: 'Input should be a valid boolean, unable to interpret input', type: 'bool_parsing' }
  }
}

/** A parameter that is given twice arrives as an array, which no scalar type accepts. */
function convert(schema: TSchema, received: unknown, part: string): { value: Record<string, unknown>; errors: FieldError[] } {
  const value: Record<string, unknown> = { ...(received as object) }
  const errors: FieldError[] = []
  for (const [name, property] of Object.entries<TSchema>((schema['properties'] ?? {}) as Record<string, TSchema>)) {
    const parser = PARSERS[String(property['type'])]
    const text = value[name]
    if (parser === undefined || text === undefined) continue
    const parsed = typeof text === 'string' ? parser.parse(text) : undefined
    if (parsed === undefined) errors.push({ loc: [part, name], ...parser.error })
    else value[name] = parsed
  }
  return { value, errors }
}
