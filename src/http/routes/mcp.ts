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
import { isDomainError } from '../../domain/errors.js'
import { atOnce, type Pieces } from '../../domain/pieces.js'
import type { Processor, RunFairlyFor } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { sendProblem, toProblem } from '../contract/errors.js'
import { SessionId } from '../contract/schemas.js'
import { signalOf } from '../plugins/caller-signal.js'
import { readJson } from '../wire/json-text.js'
import { joined } from '../wire/received-body.js'

/** The chat proxy's header: the session of calls that name none. */
const Headers = Type.Object({ 'x-session-id': Type.Optional(SessionId) })

/** Heap of a parsed answer, as a multiple of its bytes: 1 in Latin, less in other scripts, 2 at most where they mix. */
const PARSED_FACTOR = 1.5

/** Headers that tool calls inherit from their request: they identify the caller. */
const CARRIED = ['authorization', 'x-api-key'] as const

interface McpRoutesOptions {
  readonly erasesUsers: boolean
  readonly ids: Ids
  readonly runFairlyFor: RunFairlyFor
  readonly admit: Processor['admit']
  readonly yieldToEventLoop: () => Promise<void>
}

/** Streamable HTTP without sessions: `GET` and `DELETE` are not allowed, as the protocol permits. */
export function addMcpRoutes(app: Http, options: McpRoutesOptions): void {
  const { erasesUsers, ids, runFairlyFor, admit, yieldToEventLoop } = options
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
      const { subject } = request
      // Each message of a batch costs as much as a request of its own.
      const inTurn = (work: () => void) =>
        new Promise<void>((resolve) => admit(subject, () => resolve(runFairlyFor(subject)(atOnce(work)))))
      const answer = await answerMessage(
        { body: request.body, headers: request.raw.headers, signal: signalOf(reply), inTurn },
        { call: createCall(app, request, runFairlyFor), session, erasesUsers, newKey: () => ids.uuid() }
      )
      return send(reply, answer)
    }
  )
}

function send(reply: FastifyReply, { status, contentType, body }: McpAnswer): FastifyReply {
  if (contentType !== null) reply.type(contentType)
  return body === null ? reply.code(status).send() : reply.code(status).send(body)
}

function isBodyProblem(error: unknown): boolean {
  const { status, detail } = toProblem(error)
  return status === 422 && typeof detail !== 'string' && detail[0]?.loc[0] === 'body'
}

/** Returns a function that calls routes of this service, in the process, as the caller of `request`. */
function createCall(app: Http, request: FastifyRequest, runFairlyFor: RunFairlyFor): CallService {
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
    const {
      statusCode: status,
      raw,
      stream
    } = await app.inject({ method, url: path, headers, remoteAddress: request.ip, signal, payloadAsStream: true, ...payload })
    try {
      const parts = await partsOf(stream(), (bytes) => request.answerShares.holds({ heap: PARSED_FACTOR * bytes, buffers: bytes }))
      return { status, body: await runFairlyFor(request.subject)(parsed(parts)) }
    } catch (error) {
      if (!isDomainError(error)) throw error
      const refused = toProblem(error)
      return { status: refused.status, body: { detail: refused.detail } }
    } finally {
      // Of an answer that nobody reads to its end, the route would wait for a reader.
      raw.res.destroy()
    }
  }
}

/** Reads an answer. `take` is called with the length of each chunk before it is kept; what it throws ends the reading. */
async function partsOf(answer: AsyncIterable<Buffer>, take: (bytes: number) => void): Promise<Buffer[]> {
  const parts: Buffer[] = []
  for await (const part of answer) {
    take(part.length)
    parts.push(part)
  }
  return parts
}

function* parsed(parts: Buffer[]): Pieces<unknown> {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  return yield* readJson(yield* joined(parts, bytes), { isStrict: true, isAnySize: true })
}
