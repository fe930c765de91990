/**
 * What of a log line's fields may be written: no text, vector, token or address with a password, however deep, and of errors only where
 * they arose.
 */

/** What lets somebody in. */
const CREDENTIALS = 'authorization token ticket license password secret apikey api_key x-api-key cookie set-cookie headers'

/** What somebody said, or what is made of it. */
const CONTENTS =
  'text texts message messages response context embedding embeddings vector vectors body query detail parameters params stack cause input data'

/** Names whose values are never written, in small letters. */
const SECRETS: ReadonlySet<string> = new Set(`${CREDENTIALS} ${CONTENTS}`.split(' '))

const CENSOR = '[redacted]'

/** Levels of objects within a line's fields, and of errors within errors. */
const DEPTH_MAX = 5

/** Items of a list. Numbers side by side may be a vector. */
const ITEMS_MAX = 32

/** A name or a code: one word that somebody chose for a program. */
const WORD = /^[\w.$:-]{1,64}$/

/** Frames as V8 writes them. */
const FRAME = /^ {4}at .*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/

/** The fields as they may be written. */
export function toLogFields(fields: object): object {
  return fields instanceof Error ? { err: describeError(fields) } : copied(fields, 0)
}

/** A message of ours is constant; one that a library brings may quote an address or a token. */
export function toLogMessage(message: string): string {
  return message.replace(/:\/\/[^\s/@]+@/g, `://${CENSOR}@`).replace(/(?<![\w-])eyJ[\w-]+\.[\w-]*\.?[\w-]*/g, CENSOR)
}

/** Name, code and frames of an error and of those behind it. Messages and fields of their own may quote what a caller sent. */
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

/** Without the message, which may have lines that look like frames. */
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

/** Of what a class made nobody knows all that is in it: a request, a connection. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toLogMessage(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return describeError(value)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return CENSOR
  if (!Array.isArray(value)) return isPlain(value) ? copied(value, depth) : CENSOR
  return value.some((item) => typeof item === 'number') || depth > DEPTH_MAX
    ? CENSOR
    : value.slice(0, ITEMS_MAX).map((item) => shown(item, depth + 1))
}
