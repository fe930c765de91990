/** The chat-completions proxy: an upstream's own interface, with a memory in between. */
import { PassThrough, type Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, isDomainError } from '../../domain/errors.js'
import { MODEL_FIRST_BYTE_MS_MAX } from '../../domain/limits.js'
import type { Pieces } from '../../domain/pieces.js'
import type { Ids, ModelAnswer, ModelService } from '../../ports.js'
import type { AnswerShares, Http, InTurns, TurnsOf } from '../contract/contracts.js'
import { SessionId } from '../contract/schemas.js'
import { given } from '../contract/given.js'
import type { AskSession, Caller } from '../contract/resource-ask.js'
import { signalOf } from '../plugins/caller-signal.js'
import { answerOf } from './answer.js'
import { passOn, relayAnswer } from './relay.js'
import { ChatBody, instructionCount, questionOf, userOf } from './request.js'
import { bytesOf, type ChatEdit, editChat } from './source.js'
import { runTurn, type Turn } from './turn.js'

/** Bytes of an answer that is not streamed: a hundred times the longest text, for sound and pictures in it. */
const ANSWER_BYTES_MAX = 33_554_432

/** How often such an answer is held: in the pieces that came, and as one. It is read as text as well. */
const WHOLE_COPIES = 2

/** Gateways before this service would hold a stream back until it is over. The one before the model service has kept its own of this. */
const UNBUFFERED = { 'x-accel-buffering': 'no' }

/** A connection on which nothing moves may wait for the model, and before it for the memory. */
const SILENCE_MS_MAX = MODEL_FIRST_BYTE_MS_MAX + 60_000

const ChatHeaders = Type.Object({
  'x-session-id': Type.Optional(Type.String({ ...SessionId, description: 'The session, unless the body names one.' }))
})

const Upstreams = Type.Unsafe<Buffer | Readable>({ description: "The upstream's own, with its status." })

interface ChatOptions {
  readonly askSession: AskSession
  readonly ids: Ids
  /** Null: everything here answers 503. */
  readonly modelService: ModelService | null
  readonly turnsOf: TurnsOf
}

/** Chat completions and the list of models. */
export function addChatRoutes(app: Http, { askSession, ids, modelService, turnsOf }: ChatOptions): void {
  app.post(
    '/compat/v1/chat/completions',
    {
      config: { isSourceKept: true, lane: 'streams' },
      schema: {
        operationId: 'chat_completions',
        tags: ['proxy'],
        summary: 'Chat completion by the upstream, with the memory of a session',
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

      const { turn, edited } = await prepare({ askSession, ids, turnsOf }, request, sessionId)
      // A model thinks for as long as it likes: what was read of the body must not be held meanwhile.
      request.answerShares?.letGoOfBody()
      const answer = await service.send(
        { method: 'POST', path: 'chat/completions', body: edited, trace: request.trace ?? undefined },
        signalOf(reply)
      )
      // Its own id: two commands with the same one would be taken for one that was sent twice.
      const keep = keeper(askSession, { subject: request.subject, id: ids.uuid(), trace: request.trace, log: request.log }, turn)
      const inTurns = turnsOf(request.subject)
      return send(reply, answer, { keep, isStreamAsked, inTurns, holds: (weight) => request.answerShares?.holds(weight) })
    }
  )

  app.get(
    '/compat/v1/models',
    {
      config: { lane: 'streams' },
      schema: { operationId: 'chat_models', tags: ['proxy'], summary: "The upstream's models", response: { 200: Upstreams } }
    },
    async ({ method, trace }, reply) => {
      const answer = await configured(modelService).send({ method: 'GET', path: 'models', trace: trace ?? undefined }, signalOf(reply))
      return method === 'HEAD' ? passHead(reply, answer) : passAnswer(reply, answer)
    }
  )
}

type PrepareOptions = Pick<ChatOptions, 'askSession' | 'ids' | 'turnsOf'>

type ChatRequest = Caller & Pick<FastifyRequest, 'source'> & { readonly body: ChatBody }

interface Prepared {
  readonly turn: Turn
  /** What goes on to the model. */
  readonly edited: Buffer
}

/** Runs the question, and puts what is known into the body. Nothing that it returns holds what was read of the body. */
async function prepare({ askSession, ids, turnsOf }: PrepareOptions, request: ChatRequest, sessionId: string): Promise<Prepared> {
  const { body, source } = request
  const turn: Turn = { sessionId, question: questionOf(body.messages), userId: userOf(body) }
  const { context, isChecked } = await runTurn({ askSession, ids }, request, turn)
  const message = context === null ? null : { role: 'system', content: context }
  const inserted = message && { at: instructionCount(body.messages), message }
  // What was checked is what is sent: a field that was given twice was read once.
  const edited = await turnsOf(request.subject)(editOf(isChecked || source === null ? body : source, inserted))
  return { turn, edited }
}

/** What goes on to the model: of a request's bytes, or of what was read of them. */
function* editOf(request: Buffer | ChatBody, inserted: ChatEdit['inserted']): Pieces<Buffer> {
  return yield* editChat(Buffer.isBuffer(request) ? request : yield* bytesOf(request), { dropped: 'session_id', inserted })
}

function configured(modelService: ModelService | null): ModelService {
  if (modelService === null)
    throw new DomainError('upstream_unavailable', 'No model service is configured: SERVICE_UPSTREAM_URL is not set')
  return modelService
}

type Keep = (text: string) => Promise<void>

/** Stores an answer. Should that fail, the caller still gets it: it is not to blame, and cannot ask for the same answer again. */
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
  { keep, isStreamAsked, inTurns, holds }: { keep: Keep; isStreamAsked: boolean; inTurns: InTurns; holds: AnswerShares['holds'] }
): Promise<FastifyReply> {
  const { status, headers, body } = answer
  if (status < 200 || status > 299) return passAnswer(reply, answer)
  const type = headers['content-type'] ?? ''
  const isStream = /^text\/event-stream\b/i.test(type) || (isStreamAsked && !/^application\/json\b/i.test(type))
  if (isStream)
    return reply
      .code(status)
      .headers({ ...UNBUFFERED, ...headers })
      .send(relayAnswer(body, { inTurns, keep, holds }))
  const whole = await readWhole(body, holds)
  const text = await inTurns(answerOf(whole))
  if (text !== null) await keep(text)
  return reply.code(status).headers(headers).send(whole)
}

function passAnswer(reply: FastifyReply, { status, headers, body }: ModelAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(passOn(body, new PassThrough()))
}

/** Without the body: a stream that nobody reads breaks off with the answer, which would be logged as a fault. */
function passHead(reply: FastifyReply, { status, headers }: ModelAnswer): FastifyReply {
  return reply.code(status).headers(headers).send()
}

/** Before any of it is sent: a caller is better told of an answer that breaks off than given a part of it. */
async function readWhole(body: AsyncIterable<Uint8Array>, holds: AnswerShares['holds']): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new DomainError('upstream_unavailable', 'The answer of the model service is too large')
    holds({ heap: chunk.length, buffers: WHOLE_COPIES * chunk.length })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
