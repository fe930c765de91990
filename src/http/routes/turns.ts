/** Routes that feed a session: run, store, dedup-check. */
import { type Static, Type } from '@sinclair/typebox'
import type { RunReply, RunTurn } from '../../domain/commands/session-commands.js'
import { FACT_KINDS } from '../../domain/fact-kinds.js'
import { SHORT_CIRCUIT_THRESHOLD, TEXT_LENGTH_MAX } from '../../domain/limits.js'
import { keyedSessionId } from '../../domain/request-keys.js'
import { ISOLATION_ACTIONS } from '../../domain/session.js'
import type { Ids } from '../../ports.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Http } from '../contract/typed-http.js'
import {
  AnsweredSessionId,
  choice,
  DedupSignal,
  DriftPhase,
  IdempotencyKey,
  IsolationLevel,
  MemoryHash,
  MemoryId,
  nullable,
  optional,
  SessionId,
  text,
  UnderstandingPhase,
  UserId
} from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'

/** Body of a run, for a session or a cluster. */
export const RunBody = Type.Object({
  session_id: optional(SessionId),
  message: text({ maxLength: TEXT_LENGTH_MAX, description: 'The query whose context is retrieved.' }),
  response: optional(text({ maxLength: TEXT_LENGTH_MAX, description: 'Answer to the previous turn, stored before retrieval.' })),
  reset_context: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Wipes all memories and restarts the session before this turn: turns, drift, phases and transfers. Keeps its settings, isolation with held inputs, ' +
        'anchors, triggers, literal entities, counts by day and clusters, and what those learned of it.'
    })
  ),
  user_id: optional(UserId),
  short_circuit_threshold: optional(
    Type.Number({
      minimum: -1,
      maximum: 1,
      default: SHORT_CIRCUIT_THRESHOLD,
      description: 'Similarity to an answered question from which a message short-circuits.'
    })
  ),
  idempotency_key: IdempotencyKey
})

/** Answer to a run, for a session or a cluster. */
export const RunResponse = Type.Object({
  session_id: AnsweredSessionId,
  context: Type.String({ description: 'The context block, to be placed into the prompt.' }),
  top_similarity: Type.Number({ description: 'Highest similarity of the message to the latest turns; 0 before any.' }),
  short_circuit: Type.Boolean({
    description: 'Whether the message repeats a question that was answered. `context` then holds the answer, and no model need be called.'
  }),
  short_circuit_refused: Type.Optional(
    Type.Object(
      {
        memory_id: Type.String({ description: 'Id of the answered question.' }),
        similarity: Type.Number({ description: 'Similarity of the message to that question, -1 to 1.' }),
        difference: choice(FACT_KINDS, {
          description:
            'First fact in which the message differs from that question. `person`: also if somebody else asks. `time`: also if it is asked on another day ("today"). `reference`: it refers to what was said before it ("close it", "thanks"). `task`: it asks for something to be done, or made anew ("tell me another joke"). `unread`: the two were not compared. `stale`: something newer was said about the matter.'
        })
      },
      { title: 'RefusedShortCircuit', description: 'Why a message close to an answered question is not a short circuit.' }
    )
  ),
  drift_score: Type.Number({
    description:
      'How far the message is from what the session was about, 0 to 1. If isolation holds the message back: that of the turn before.'
  }),
  drift_detected: Type.Boolean({ description: 'Whether this turn reached the drift threshold, whatever `drift_phase` was before.' }),
  drift_phase: DriftPhase,
  dedup_signal: nullable(DedupSignal, 'Whether `response` updates a memory; null without a `response`.'),
  retrieval_error: Type.Boolean({ description: 'Whether retrieval failed. The turn itself has succeeded, with an empty context.' }),
  phase: UnderstandingPhase,
  turn: Type.Integer({ description: 'Number of turns of the session, this one included. A message that isolation holds back is no turn.' }),
  isolation: Type.Object(
    {
      level: IsolationLevel,
      action: choice(ISOLATION_ACTIONS, { description: 'What became of the message.' }),
      similarity: nullable(Type.Number(), 'Highest similarity to the domain; null without a domain.')
    },
    { title: 'IsolationVerdict', description: 'What the isolation of the session did with the message.' }
  )
})

const DedupThreshold = optional(
  Type.Number({
    minimum: -1,
    maximum: 1,
    description: 'Similarity from which a text counts as an update of a memory. Default: `SERVICE_UPDATE_THRESHOLD`.'
  })
)

const StoreBody = Type.Object({
  session_id: SessionId,
  response: text({ maxLength: TEXT_LENGTH_MAX, description: 'The answer to learn from.' }),
  dedup_threshold: DedupThreshold,
  user_id: optional(UserId),
  idempotency_key: IdempotencyKey
})

const StoreResponse = Type.Object({
  session_id: AnsweredSessionId,
  memory_id: MemoryId,
  memory_hash: MemoryHash,
  dedup_signal: { ...DedupSignal, description: 'Whether `response` updated a memory.' }
})

const DedupBody = Type.Object({
  session_id: SessionId,
  text: text({ maxLength: TEXT_LENGTH_MAX, description: 'The text that would be stored.' }),
  dedup_threshold: DedupThreshold
})

const readRun = createReader(RunBody)
const writeRun = createWriter(RunResponse)
const readStore = createReader(StoreBody)
const writeStore = createWriter(StoreResponse)
const readDedup = createReader(DedupBody)
const writeDedup = createWriter(DedupSignal)

/** Adds the routes of run, store and dedup-check. */
export function addTurnRoutes(app: Http, { askSession, ids }: { askSession: AskSession; ids: Ids }): void {
  app.post(
    '/v1/run',
    {
      schema: {
        operationId: 'run',
        tags: ['sessions'],
        summary: 'Retrieve the context for a message',
        body: RunBody,
        response: { 200: RunResponse }
      }
    },
    async (request) => {
      const { body, subject } = request
      const { idempotency_key: key } = body
      const sessionId = body.session_id ?? (key == null ? ids.uuid() : keyedSessionId({ subject, key }))
      return toRunResponse(sessionId, await askSession(request, sessionId, toRunTurn(body), key))
    }
  )

  app.post(
    '/v1/store',
    {
      schema: {
        operationId: 'store',
        tags: ['sessions'],
        summary: 'Learn from an answer',
        body: StoreBody,
        response: { 200: StoreResponse }
      }
    },
    async (request) => {
      const { sessionId, idempotencyKey: key, ...given } = readStore(request.body)
      return writeStore({ sessionId, ...(await askSession(request, sessionId, { type: 'session.store', ...given }, key)) })
    }
  )

  app.post(
    '/v1/dedup-check',
    {
      // Interface, Endpoints: does not count towards the rate limit.
      config: { isRateLimited: false, lane: 'checks' },
      schema: {
        operationId: 'dedup_check',
        tags: ['sessions'],
        summary: 'Tell whether a text would update a memory; changes nothing',
        body: DedupBody,
        response: { 200: DedupSignal }
      }
    },
    async (request) => {
      const { sessionId, ...given } = readDedup(request.body)
      return writeDedup(await askSession(request, sessionId, { type: 'session.dedupCheck', ...given }))
    }
  )
}

/** Converts a run request into its command. */
export function toRunTurn(body: Static<typeof RunBody>): RunTurn {
  const { sessionId: _, idempotencyKey: _key, ...given } = readRun(body)
  return { type: 'session.run', resetContext: false, ...given }
}

/** Converts the reply into the answer to a run, also for clusters. */
export function toRunResponse(sessionId: string, reply: RunReply) {
  return writeRun({ sessionId, ...reply })
}
