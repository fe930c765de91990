/**
 * The door for clients of the Model Context Protocol: absent from the schema, for the protocol describes itself. Its tools call this
 * service's own routes as their caller, so that authentication, limits and refusals are those of HTTP.
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

/** The header that the chat proxy has: the session of calls that name none. */
const Headers = Type.Object({ 'x-session-id': Type.Optional(SessionId) })

/** Bytes of heap that an answer takes at most, times its length: its text, parsed, and written anew. */
const ANSWER_FACTOR = 4

/** What of a call's headers its tools' calls carry on: on whose behalf they are. */
const CARRIED = ['authorization', 'x-api-key'] as const

export interface McpRoutesOptions {
  readonly erasesUsers: boolean
  readonly ids: Ids
  readonly yieldToEventLoop: () => Promise<void>
}

/** Streamable HTTP without sessions of its own: `GET` and `DELETE` are not allowed, as the protocol provides. */
export function addMcpRoutes(app: Http, { erasesUsers, ids, yieldToEventLoop }: McpRoutesOptions): void {
  let loading: ReturnType<typeof loadHttpDoor> | undefined
  const door = () => (loading ??= loadHttpDoor(yieldToEventLoop))
  /** What is no JSON is refused in the way of the protocol, as all else that its door is given. */
  const refuse = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isBodyProblem(error)) send(reply, (await door()).answerNoJson())
    else sendProblem(error, request, reply)
  }
  app.post(
    '/mcp',
    {
      // The calls of its tools are counted, and take turns with the other commands: this one waits for them.
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

/** Calls the routes of this service, in the process, as the caller of `request`. */
function createCall(app: Http, request: FastifyRequest): CallService {
  const carried = CARRIED.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]]))
  // The caller's own was checked; the names of loopback pass wherever the service listens.
  const { trace } = request
  const headers = {
    ...(Object.fromEntries(carried) as Record<string, string>),
    ...(trace !== null && { traceparent: trace }),
    host: 'localhost'
  }
  return async ({ method, path, body }, signal) => {
    signal.throwIfAborted()
    const response = await app.inject({
      ...{ method, url: path, headers, remoteAddress: request.ip, signal },
      ...(body !== undefined && { payload: body })
    })
    try {
      request.answerShares?.holds({ heap: ANSWER_FACTOR * response.payload.length, buffers: 0 })
    } catch (error) {
      const { status, detail } = toProblem(error)
      return { status, body: { detail } }
    }
    return { status: response.statusCode, body: JSON.parse(response.payload) as unknown }
  }
}
