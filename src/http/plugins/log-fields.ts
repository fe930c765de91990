/**
 * Filters the fields of a log line: no text, vector, token or address with a password is logged, at any depth, and of errors only where
 * they arose.
 */
import { isPlainObject } from '../../domain/json-object.js'

/** Names of fields with credentials. */
const CREDENTIALS = 'authorization token ticket license password secret apikey api_key x-api-key cookie set-cookie headers'

/** Names of fields with what users said, or data derived from it. */
const CONTENTS =
  'text texts message messages response context embedding embeddings vector vectors body query detail parameters params stack cause input data'

/** Names whose values are never logged, in lower case. */
const SECRETS: ReadonlySet<string> = new Set(`${CREDENTIALS} ${CONTENTS}`.split(' '))

const CENSOR = '[redacted]'

/** Maximum nesting of objects, and of errors in errors. */
const DEPTH_MAX = 5

/** Maximum items of a list. Longer lists of numbers may be vectors. */
const ITEMS_MAX = 32

/** A name or a code: a single word chosen by a programmer. */
const WORD = /^[\w.$:-]{1,64}$/

/** Stack frames as V8 prints them. */
const FRAME = /^ {4}at .*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/

/** Returns the fields that may be logged. */
export function toLogFields(fields: object): object {
  return fields instanceof Error ? { err: describeError(fields) } : copied(fields, 0)
}

/** This project's messages are constant; a library's may quote an address or a token. */
export function toLogMessage(message: string): string {
  return message.replace(/:\/\/[^\s/@]+@/g, `://${CENSOR}@`).replace(/(?<![\w-])eyJ[\w-]+\.[\w-]*\.?[\w-]*/g, CENSOR)
}

/** Name, code and stack frames of an error and of its causes. Messages and other fields may quote what a caller sent. */
function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code } = error as { readonly code?: unknown }
  const hasCode = typeof code === 'number' || (typeof code === 'string' && WORD.test(code))
  const inner = depth >= DEPTH_MAX ? {} : innerErrors(error, depth + 1)
  return { name: WORD.test(error.name) ? error.name : 'Error', ...(hasCode && { code }), frames: framesOf(error), ...inner }
}

function innerErrors(error: Error, depth: number): object {
  const errors =
    error instanceof AggregateError ? error.errors.slice(0, ITEMS_MAX).map((one: unknown) => describeError(one, depth)) : undefined
  return { ...(error.cause !== undefined && { cause: describeError(error.cause, depth) }), ...(errors !== undefined && { errors }) }
}

/** Removes the message, whose lines may look like frames. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = message === '' ? -1 : stack.indexOf(message)
  const rest = at < 0 ? stack : stack.slice(at + message.length)
  return rest
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, ITEMS_MAX)
}

function copied(value: unknown, depth: number): object {
  if (depth > DEPTH_MAX) return {}
  return Object.fromEntries(
    Object.entries(value as object).map(([name, item]) => [name, SECRETS.has(name.toLowerCase()) ? CENSOR : shown(item, depth + 1)])
  )
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toLogMessage(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return describeError(value)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return CENSOR
  // Objects of other classes, such as requests and connections, may contain anything.
  if (!Array.isArray(value)) return isPlainObject(value) ? copied(value, depth) : CENSOR
  return value.some((item) => typeof item === 'number') || depth > DEPTH_MAX
    ? CENSOR
    : value.slice(0, ITEMS_MAX).map((item) => shown(item, depth + 1))
}
