/** Errors of the chat proxy, in the envelope that chat-completions clients read. */
import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type FieldError, HttpProblem, toFieldPath } from './problem.js'
import { routeOf } from './route.js'

/** Prefix of all paths of the proxy, also of unknown ones. */
export const CHAT_PREFIX = '/compat/'

/** Whether the caller is a chat-completions client, judged by the requested path. */
export function isChatRequest(request: FastifyRequest): boolean {
  return ((request.is404 ? undefined : routeOf(request).url) ?? request.url).startsWith(CHAT_PREFIX)
}

/** The envelope on the wire. `param` names the invalid field; `code` is stable. */
interface ChatError {
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null; readonly code: string }
}

/** A refusal by the proxy itself, with a code that clients of chat services know. */
export class ChatProblem extends HttpProblem {
  readonly code: string
  readonly param: string

  constructor(status: number, message: string, { code, param }: { code: string; param: string }) {
    super(status, message)
    this.name = 'ChatProblem'
    this.code = code
    this.param = param
  }
}

/** Codes of refusals without one of their own. Where chat services have a code for the case, it is theirs. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'license_expired',
  404: 'unknown_url',
  405: 'method_not_allowed',
  413: 'request_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limit_exceeded',
  500: 'internal'
}

/** `code` is that of the refusal behind the problem, if any. */
export function toChatError(problem: HttpProblem, code: string | undefined): ChatError {
  const { status, detail } = problem
  const type = typeOf(status)
  if (typeof detail !== 'string') return { error: { ...toFinding(detail), type } }
  const own = problem instanceof ChatProblem ? problem : undefined
  return {
    error: { message: detail, type, param: own?.param ?? null, code: own?.code ?? code ?? CODE_OF_STATUS[status] ?? wordsOf(status) }
  }
}

function typeOf(status: number): string {
  if (status >= 500) return 'server_error'
  return status === 429 ? 'rate_limit_error' : 'invalid_request_error'
}

/** Takes the first finding, because the envelope has room for one. Fields are written as `messages[0].role`. */
function toFinding(errors: readonly FieldError[]): { message: string; param: string | null; code: string } {
  const [first] = errors
  const [, ...path] = first?.loc ?? []
  const name = toFieldPath(path)
  const message = first?.msg ?? 'The request is not valid'
  return { message: name === '' ? message : `${name}: ${message}`, param: name === '' ? null : name, code: first?.type ?? 'invalid' }
}

/** `Request Timeout` → `request_timeout` */
function wordsOf(status: number): string {
  return (STATUS_CODES[status] ?? 'error').toLowerCase().replace(/\W+/g, '_')
}
