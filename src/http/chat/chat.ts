/** The chat-completions proxy: the interface of the model service, with a memory in between. */
import { PassThrough, type Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, isDomainError } from '../../domain/errors.js'
import { MODEL_FIRST_BYTE_MS_MAX } from '../../domain/limits.js'
import type { Pieces } from '../../domain/pieces.js'
import type { ModelAnswer, ModelService } from '../../ports.js'
import type { AnswerShares, Processor, RunFairly } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { SessionId } from '../contract/schemas.js'
import { given } from '../contract/given.js'
import type { AskSession } from '../contract/resource-ask.js'
import { signalOf } from '../plugins/caller-signal.js'
import { createJoinedChunks } from '../wire/joined-chunks.js'
import { answerOf } from './answer.js'
import { passOn, relayAnswer } from './relay.js'
import { ChatBody, instructionCount, questionOf, userOf } from './request.js'
import { bytesOf, type ChatEdit, editChat } from './source.js'
import { type ChatCaller, runTurn, type Turn, type TurnOptions } from './turn.js'

/** Maximum bytes of an answer that is not streamed: a hundred times the longest text, to allow for audio and images. */
const ANSWER_BYTES_MAX = 33_554_432

/** Copies of such an answer in memory: its chunks, and their concatenation. It is also read as text. */
const WHOLE_COPIES = 2

/** Tells gateways not to buffer a stream. A gateway in front of the model service may have consumed that service's own header. */
const UNBUFFERED = { 'x-accel-buffering': 'no' }

/** Milliseconds that a connection may be silent: the wait for the model, and before it for the memory. */
const SILENCE_MS_MAX = MODEL_FIRST_BYTE_MS_MAX + 60_000

const ChatHeaders = Type.Object({
  'x-session-id': Type.Optional(Type.String({ ...SessionId, description: 'Session to use, unless the body names one.' }))
})

const Upstreams = Type.Unsafe<Buffer | Readable>({ description: "The upstream's answer, passed on with its status." })

interface ChatOptions extends TurnOptions {
  /** Null: these routes answer 503. */
  readonly modelService: ModelService | null
  readonly admit: Processor['admit']
}

/** Adds the routes for chat completions and the list of models. */
export function addChatRoutes(app: Http, options: ChatOptions): void {
  const { askSession, ids, modelService, runFairlyFor } = options
  const askedFor = ({ trace, subject, answerShares }: Pick<FastifyRequest, 'trace' | 'subject' | 'answerShares'>) => ({
    trace: trace ?? undefined,
    admit: (goOn: () => void) => options.admit(subject, goOn),
    holds: answerShares.holds
  })
  app.post(
    '/compat/v1/chat/completions',
    {
      config: { isSourceKept: true, lane: 'streams' },
      schema: {
        operationId: 'chat_completions',
        tags: ['proxy'],
        summary: 'Get a chat completion from the upstream, with the memory of a session',
        headers: ChatHeaders,
        body: ChatBody,
        response: { 200: Upstreams }
      }
    },
    async (request, reply) => {
      const service = configured(modelService)
      const isStreamAsked = request.body.stream === true
      const sessionId = request.body.session_id ?? request.headers['x-session-id'] ?? ids.uuid()
      reply.header('x-session-id', sessionId)
      reply.raw.setTimeout(SILENCE_MS_MAX, () => reply.raw.destroy())

      const { turn, edited } = await prepare(options, request, sessionId)
      // A model takes arbitrarily long; the parsed body must not be held meanwhile.
      request.answerShares.releaseBody()
      const answer = await service.send({ method: 'POST', path: 'chat/completions', body: edited, ...askedFor(request) }, signalOf(reply))
      // A new id: two commands with the same id would be taken for a repetition.
      const keep = keeper(askSession, { subject: request.subject, id: ids.uuid(), trace: request.trace, log: request.log }, turn)
      const runFairly = runFairlyFor(request.subject)
      return send(reply, answer, { keep, isStreamAsked, runFairly, holds: request.answerShares.holds })
    }
  )

  app.get(
    '/compat/v1/models',
    {
      config: { lane: 'streams' },
      schema: { operationId: 'chat_models', tags: ['proxy'], summary: "List the upstream's models", response: { 200: Upstreams } }
    },
    async (request, reply) => {
      const asked = { method: 'GET', path: 'models', ...askedFor(request) } as const
      return passAnswer(reply, await configured(modelService).send(asked, signalOf(reply)))
    }
  )
}

interface Prepared {
  readonly turn: Turn
  /** The body to send to the model service. */
  readonly edited: Buffer
}

/** Runs the question and inserts the context into the body. The result does not reference the parsed body. */
async function prepare(options: TurnOptions, request: ChatCaller & Pick<FastifyRequest, 'source'>, sessionId: string): Promise<Prepared> {
  const { body, source } = request
  const turn: Turn = { sessionId, question: await options.runFairlyFor(request.subject)(questionOf(body.messages)), userId: userOf(body) }
  const { context, isChecked } = await runTurn(options, request, turn)
  const message = context === null ? null : { role: 'system', content: context }
  const inserted = message && { at: instructionCount(body.messages), message }
  // After a check, the parsed body is sent rather than the raw bytes: of a duplicate field only one value was checked.
  const edited = await options.runFairlyFor(request.subject)(editOf(isChecked || source === null ? body : source, inserted))
  return { turn, edited }
}

/** Edits the raw bytes of a request, or its parsed body. */
function* editOf(request: Buffer | ChatBody, inserted: ChatEdit['inserted']): Pieces<Buffer> {
  return yield* editChat(Buffer.isBuffer(request) ? request : yield* bytesOf(request), { dropped: 'session_id', inserted })
}

function configured(modelService: ModelService | null): ModelService {
  if (modelService === null)
    throw new DomainError('upstream_unavailable', 'No model service is configured: SERVICE_UPSTREAM_URL is not set')
  return modelService
}

type Keep = (text: string) => Promise<void>

/**
 * Returns a function that stores the answer. If that fails the caller still gets the answer: it is not at fault, and cannot ask for the
 * same answer again.
 */
function keeper(
  askSession: AskSession,
  { log, ...caller }: Pick<FastifyRequest, 'subject' | 'id' | 'trace' | 'log'>,
  { sessionId, question, userId }: Turn
): Keep {
  return async (text) => {
    if (question === null) return
    try {
      await askSession(caller, sessionId, { type: 'session.store', response: text, question, ...given({ userId }) })
    } catch (error) {
      log.warn({ code: isDomainError(error) ? error.code : 'internal' }, 'an answer was not stored')
    }
  }
}

async function send(
  reply: FastifyReply,
  answer: ModelAnswer,
  { keep, isStreamAsked, runFairly, holds }: { keep: Keep; isStreamAsked: boolean; runFairly: RunFairly; holds: AnswerShares['holds'] }
): Promise<FastifyReply> {
  const { status, headers, body } = answer
  if (status < 200 || status > 299) return passAnswer(reply, answer)
  const type = headers['content-type'] ?? ''
  const isStream = /^text\/event-stream\b/i.test(type) || (isStreamAsked && !/^application\/json\b/i.test(type))
  if (isStream)
    return reply
      .code(status)
      .headers({ ...UNBUFFERED, ...headers })
      .send(relayAnswer(body, { runFairly, keep, holds }))
  const whole = await readWhole(body, holds)
  const text = await runFairly(answerOf(whole))
  if (text !== null) await keep(text)
  return reply.code(status).headers(headers).send(whole)
}

function passAnswer(reply: FastifyReply, { status, headers, body }: ModelAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(passOn(body, new PassThrough()))
}

/** Reads the whole body before sending any of it: an error is better for the caller than part of an answer. */
async function readWhole(body: AsyncIterable<Uint8Array>, holds: AnswerShares['holds']): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const joined = createJoinedChunks((chunk) => chunks.push(chunk))
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new DomainError('upstream_unavailable', 'The answer of the model service is too large')
    holds({ heap: chunk.length, buffers: WHOLE_COPIES * chunk.length })
    joined.add(chunk)
  }
  joined.end()
  return Buffer.concat(chunks)
}
