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
    const crossField = exactlyOneOf(schema, value, part) ?? atMostOneOf(schema, value, part) ?? atLeastOneOf(schema, value, part)
    return crossField === undefined ? { value } : refuse([crossField])
  }
}

function refuse(errors: readonly FieldError[]): Validated {
  return { error: new HttpProblem(422, errors) }
}

/** `x-exactly-one` of an object schema: names of fields of which exactly one must be given. */
function exactlyOneOf(schema: TSchema, value: unknown, part: string): FieldError | undefined {
  const names = schema['x-exactly-one'] as readonly string[] | undefined
  if (names === undefined) return undefined
  const given = names.filter((name) => (value as Record<string, unknown>)[name] != null)
  if (given.length === 1) return undefined
  const [first = ''] = names
  if (given.length === 0) return { loc: [part, first], msg: `Give exactly one of ${names.join(' and ')}`, type: 'missing' }
  return { loc: [part, given[1] ?? first], msg: `Give exactly one of ${names.join(' and ')}`, type: 'value_error' }
}

/** `x-at-most-one` of an object schema: names of mutually exclusive fields. */
function atMostOneOf(schema: TSchema, value: unknown, part: string): FieldError | undefined {
  const names = (schema['x-at-most-one'] ?? []) as readonly string[]
  const [, second] = names.filter((name) => (value as Record<string, unknown>)[name] != null)
  if (second === undefined) return undefined
  return { loc: [part, second], msg: `Give at most one of ${names.join(' and ')}`, type: 'value_error' }
}

/** `x-at-least-one` of an object schema: names of fields of which at least one must be given. */
function atLeastOneOf(schema: TSchema, value: unknown, part: string): FieldError | undefined {
  const names = (schema['x-at-least-one'] ?? []) as readonly string[]
  const [first = ''] = names
  if (names.length === 0 || names.some((name) => (value as Record<string, unknown>)[name] != null)) return undefined
  return { loc: [part, first], msg: `Give at least one of ${names.join(' and ')}`, type: 'missing' }
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
