/** Makes EngramErrors of refusals and of answers that were lost. */
import { EngramError, type EngramErrorKind, type Problem } from './engram-error.js'

const KINDS: Readonly<Record<number, EngramErrorKind>> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'expired',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'invalid',
  415: 'invalid',
  421: 'forbidden',
  422: 'invalid',
  429: 'rate_limited'
}

/** Returns the error for a refusal. `body` is its parsed JSON, if it is JSON; `epochMs` is now, for a `Retry-After` that is a date. */
export function toRefusal({ status, headers }: Response, body: unknown, epochMs: number): EngramError {
  const kind = KINDS[status] ?? (status >= 500 ? 'unavailable' : 'unexpected')
  const problems = problemsIn(body)
  const detail = detailIn(body) ?? (problems.length > 0 ? problems.map(wordsOf).join('; ') : `The service answered ${String(status)}`)
  return new EngramError({ kind, status, detail, problems, retryAfterMs: toRetryAfterMs(headers.get('retry-after'), epochMs) })
}

/** Returns the error for a call without an answer. Messages of the platform may repeat the request, so the token is removed. */
export function toLost(error: unknown, token: string | undefined): EngramError {
  return lost('No answer came from the service', error, token)
}

/** Returns the error for an answer that began and broke off. */
export function toBrokenOff(error: unknown): EngramError {
  return lost('The answer broke off', error, undefined)
}

function lost(problem: string, error: unknown, token: string | undefined): EngramError {
  const words = error instanceof Error ? [error.message, ...innerWords(error.cause)] : []
  const text = words.filter((word) => word !== '').join(': ')
  const told = token === undefined || token === '' ? text : text.replaceAll(token, '…')
  const cause = new Error(told)
  cause.name = error instanceof Error ? error.name : 'Error'
  return new EngramError({ kind: 'unreachable', detail: `${problem}${told === '' ? '' : ` (${told})`}`, cause })
}

function innerWords(cause: unknown): string[] {
  return cause instanceof Error ? [cause.message] : []
}

function wordsOf({ loc, msg }: Problem): string {
  return `${loc.join('.')}: ${msg}`
}

/** The message of a refusal: its `detail`, or that of the chat proxy's error envelope. Null where it has neither. */
export function detailIn(body: unknown): string | null {
  if (!isObject(body)) return null
  if (typeof body['detail'] === 'string') return body['detail']
  const { error } = body
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : null
}

/** The invalid fields that a refusal names. */
export function problemsIn(body: unknown): readonly Problem[] {
  return isObject(body) && Array.isArray(body['detail']) ? body['detail'].filter(isProblem) : []
}

function isProblem(value: unknown): value is Problem {
  return isObject(value) && Array.isArray(value['loc']) && typeof value['msg'] === 'string' && typeof value['type'] === 'string'
}

/** Parses a JSON object. Throws an EngramError of the kind `unexpected` for anything else; its detail calls the text `what`. */
export function objectIn(text: string, what: string): Readonly<Record<string, unknown>> {
  const value = parsedOrNull(text)
  if (isObject(value)) return value
  throw new EngramError({ kind: 'unexpected', detail: `${what} is not a JSON object` })
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** The header is a number of seconds or a date. RFC 9110, 10.2.3. */
function toRetryAfterMs(header: string | null, epochMs: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - epochMs)
}
