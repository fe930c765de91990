/** The error register: the only place where a refusal is mapped to an HTTP status. */
import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DomainError, type ErrorCode, isDomainError } from '../../domain/errors.js'
import { isChatRequest, toChatError } from './chat-errors.js'
import { HttpProblem } from './problem.js'
import { routeOf } from './route.js'

/** Interface, Errors. Refusals with status 503 are worth a retry. */
export const STATUS_OF_CODE: Record<ErrorCode, number> = {
  session_missing: 404,
  memory_missing: 404,
  entity_missing: 404,
  cluster_missing: 404,
  member_missing: 404,
  region_missing: 404,
  observer_missing: 404,
  user_missing: 404,
  already_exists: 409,
  in_use: 409,
  invalid_input: 422,
  malformed_payload: 400,
  memory_full: 409,
  limit_reached: 409,
  record_full: 409,
  answer_gone: 409,
  memory_exhausted: 503,
  busy: 503,
  unreachable: 503,
  not_owner: 503,
  draining: 503,
  deadline_passed: 503,
  outcome_unknown: 503,
  restart_limited: 503,
  fenced: 503,
  storage_unavailable: 503,
  embedder_unavailable: 503,
  erasure_incomplete: 503,
  upstream_unavailable: 503,
  upstream_late: 504,
  internal: 500
}

/** Seconds. By then a mailbox has drained, or an actor's new owner is known. */
const RETRY_AFTER_S = '1'

/** Details of Fastify's own refusals, by its error code. Others get the name of their status. */
const DETAIL_OF_FASTIFY_CODE: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Unsupported media type: send application/json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body does not match its Content-Length'
}

/** Maps any error of a hook or handler to an answer. An error that is neither expected nor Fastify's becomes a bare 500. */
export function toProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error
  if (isDomainError(error)) return fromDomain(error)
  return fromFastify(error)
}

/** Sends every error in the interface's shape, and logs those that are the service's own fault. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply))
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = isBodyTooLarge(error) ? bodyTooLarge(request) : toProblem(error)
  // What a caller breaks off by leaving fails in many places, and none of them is a fault.
  if (problem.status === 500) request.log[reply.raw.destroyed ? 'info' : 'error']({ err: error }, 'request failed')
  const body = isChatRequest(request) ? toChatError(problem, isDomainError(error) ? error.code : undefined) : { detail: problem.detail }
  // Left over from an answer that failed before its first byte.
  for (const name of ['content-encoding', 'content-type']) reply.removeHeader(name)
  return reply.code(problem.status).headers(problem.headers).send(body)
}

function isBodyTooLarge(error: unknown): boolean {
  return error instanceof Error && (error as Partial<FastifyError>).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}

/** Two settings limit bodies; a route with the larger limit takes exports. */
function bodyTooLarge(request: FastifyRequest): HttpProblem {
  const { bodyLimit } = routeOf(request)
  const variable = bodyLimit === request.server.initialConfig.bodyLimit ? 'SERVICE_BODY_LIMIT_BYTES' : 'SERVICE_IMPORT_LIMIT_BYTES'
  return new HttpProblem(413, `Request body too large: at most ${String(bodyLimit)} bytes (${variable})`)
}

function fromDomain(error: DomainError): HttpProblem {
  const status = STATUS_OF_CODE[error.code]
  if (status === 500) return new HttpProblem(500, 'Internal server error')
  if (status === 422) return new HttpProblem(422, [{ loc: ['body', ...(error.loc ?? [])], msg: error.message, type: 'value_error' }])
  return new HttpProblem(status, error.message, status === 503 ? { 'retry-after': RETRY_AFTER_S } : {})
}

function fromFastify(error: unknown): HttpProblem {
  const { code = '', statusCode = 500 } = error instanceof Error ? (error as Partial<FastifyError>) : {}
  if (statusCode < 400 || statusCode >= 500) return new HttpProblem(500, 'Internal server error')
  return new HttpProblem(statusCode, DETAIL_OF_FASTIFY_CODE[code] ?? STATUS_CODES[statusCode] ?? 'Bad Request')
}
