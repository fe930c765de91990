/**
 * Endpoint for clients of the Model Context Protocol. Absent from the schema, because the protocol describes itself. Its tools call this
 * service's own routes as their caller, so authentication, limits and refusals are those of HTTP.
 */
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CallService, SESSION_DEFAULT } from '../../mcp/calls/service.js'
import type { McpAnswer } from '../../mcp/http-door.js'
import { loadHttpDoor } from '../../mcp/loading.js'
import type { Ids } from '../../ports.js'
import type { Http } from '../contract/contracts.js'
import { sendProblem, toProblem } from '../contract/errors.js'
import { SessionId } from '../contract/schemas.js'
import { signalOf } from '../plugins/caller-signal.js'

/** The chat proxy's header: the session of calls that name none. */
const Headers = Type.Object({ 'x-session-id': Type.Optional(SessionId) })

/** Upper bound on the heap that an answer takes, as a multiple of its length: its text, parsed, and serialized again. */
const ANSWER_FACTOR = 4

/** Headers that tool calls inherit from their request: they identify the caller. */
const CARRIED = ['authorization', 'x-api-key'] as const

interface McpRoutesOptions {
  readonly erasesUsers: boolean
  readonly ids: Ids
  readonly yieldToEventLoop: () => Promise<void>
}

/** Streamable HTTP without sessions: `GET` and `DELETE` are not allowed, as the protocol permits. */
export function addMcpRoutes(app: Http, { erasesUsers, ids, yieldToEventLoop }: McpRoutesOptions): void {
  let loading: ReturnType<typeof loadHttpDoor> | undefined
  const door = () => (loading ??= loadHttpDoor(yieldToEventLoop))
  /** Refuses a body that is not JSON in the protocol's own form, like everything else that its endpoint receives. */
  const refuse = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isBodyProblem(error)) send(reply, (await door()).answerNoJson())
    else sendProblem(error, request, reply)
  }
  app.post(
    '/mcp',
    {
      // The calls of its tools are counted and take turns with other commands; this request waits for them.
      config: { isRateLimited: false, lane: 'tools' },
      errorHandler: (error, request, reply) =>
        void refuse(error, request, reply).catch((other: unknown) => sendProblem(other, request, reply)),
      schema: { operationId: 'mcp', hide: true, headers: Headers, body: Type.Unknown() }
    },
    async (request, reply) => {
      const { answerMessage } = await door()
      const session = request.headers['x-session-id'] ?? SESSION_DEFAULT
      const answer = await answerMessage(
        { body: request.body, headers: request.raw.headers, signal: signalOf(reply) },
        { call: createCall(app, request), session, erasesUsers, newKey: () => ids.uuid() }
      )
      return send(reply, answer)
    }
  )
}

function send(reply: FastifyReply, { status, contentType, body }: McpAnswer): FastifyReply {
  if (contentType !== null) reply.type(contentType)
  return reply.code(status).send(body)
}

function isBodyProblem(error: unknown): boolean {
  const { status, detail } = toProblem(error)
  return status === 422 && typeof detail !== 'string' && detail[0]?.loc[0] === 'body'
}

/** Returns a function that calls routes of this service, in the process, as the caller of `request`. */
function createCall(app: Http, request: FastifyRequest): CallService {
  const carried = CARRIED.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]]))
  // The caller's Host was checked; loopback's names pass wherever the service listens.
  const { trace } = request
  const headers = {
    ...(Object.fromEntries(carried) as Record<string, string>),
    ...(trace !== null && { traceparent: trace }),
    host: 'localhost'
  }
  return async ({ method, path, body }, signal) => {
    signal.throwIfAborted()
    const payload = body !== undefined && { payload: body }
    const response = await app.inject({ method, url: path, headers, remoteAddress: request.ip, signal, ...payload })
    try {
      request.answerShares.holds({ heap: ANSWER_FACTOR * response.payload.length, buffers: 0 })
    } catch (error) {
      const { status, detail } = toProblem(error)
      return { status, body: { detail } }
    }
    return { status: response.statusCode, body: JSON.parse(response.payload) as unknown }
  }
}
