/** Routes that read a session's state: its metrics, and the memories it would recall. */
import { Type } from '@sinclair/typebox'
import { notFound } from '../../domain/errors.js'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Directory, Http } from '../contract/contracts.js'
import { DriftPhase, IsolationLevel, Memory, SessionId, SessionPath, UnderstandingPhase } from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'

const Metrics = Type.Object({
  session_id: Type.String(),
  phase: UnderstandingPhase,
  drift_phase: DriftPhase,
  drift_score: Type.Number(),
  drift_threshold: Type.Number(),
  interaction_count: Type.Integer(),
  total_memories: Type.Integer(),
  tiers: Type.Object({ short_term: Type.Integer(), medium_term: Type.Integer(), long_term: Type.Integer() }, { title: 'TierCounts' }),
  mean_similarity: Type.Number(),
  similarity_variance: Type.Number(),
  topic_switches: Type.Integer(),
  short_circuits: Type.Integer(),
  anchor_count: Type.Integer(),
  anchor_score: Type.Union([Type.Number(), Type.Null()]),
  trigger_count: Type.Integer(),
  triggers: Type.Array(
    Type.Object(
      {
        trigger_id: Type.String(),
        keyword: Type.Union([Type.String(), Type.Null()]),
        fired_count: Type.Integer(),
        last_fired_turn: Type.Union([Type.Integer(), Type.Null()])
      },
      { title: 'Trigger' }
    )
  ),
  entity_count: Type.Integer(),
  isolation: Type.Object(
    { level: IsolationLevel, similarity_threshold: Type.Number(), quarantined_count: Type.Integer() },
    { title: 'IsolationState' }
  ),
  dimension: Type.Integer(),
  model_name: Type.String(),
  use_cortex: Type.Boolean(),
  enable_topic_switch: Type.Boolean(),
  created_at: Type.Number({ description: 'Time at which the session was made, in epoch seconds.' }),
  last_active_at: Type.Number({ description: 'Time of the last use, in epoch seconds.' })
})

const SessionQuery = Type.Object({ session_id: Type.Optional(SessionId) })

const ContextQuery = Type.Object({
  session_id: SessionId,
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.CONTEXT_TOP_K_MAX, default: limits.CONTEXT_TOP_K_DEFAULT })),
  full_first: Type.Optional(Type.Boolean({ default: false, description: 'Whether the first memory is returned untruncated.' })),
  max_text_chars: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.CONTEXT_TEXT_CHARS_MAX, default: limits.CONTEXT_TEXT_CHARS_DEFAULT })
  )
})

const ContextItem = Type.Composite(
  [
    Type.Omit(Memory, ['user_id']),
    Type.Object({
      truncated: Type.Boolean(),
      relevance: Type.Number({ description: "Similarity of the memory to the session's semantic state." })
    })
  ],
  { title: 'ContextItem' }
)

const writeMetrics = createWriter(Metrics)
const readContext = createReader(ContextQuery)
const writeContext = createWriter(Type.Array(ContextItem))

/** Adds the routes for metrics by path, metrics by query, and the context listing. */
export function addStateRoutes(app: Http, { askSession, directory }: { askSession: AskSession; directory: Directory }): void {
  app.get(
    '/v1/metrics/:session_id',
    {
      schema: {
        operationId: 'session_metrics',
        tags: ['sessions'],
        summary: 'Read the metrics of a session; the id in the path wins',
        params: SessionPath,
        querystring: SessionQuery,
        response: { 200: Metrics }
      }
    },
    async (request) => {
      const { session_id } = request.params
      return writeMetrics({ sessionId: session_id, ...(await askSession(request, session_id, { type: 'session.metrics' })) })
    }
  )

  app.get(
    '/v1/state/metrics',
    {
      schema: {
        operationId: 'state_metrics',
        tags: ['sessions'],
        summary: 'Read the metrics of a session; without an id, of the one used last',
        querystring: SessionQuery,
        response: { 200: Metrics }
      }
    },
    async (request) => {
      const sessionId = request.query.session_id ?? (await directory.lastUsedSession(request.subject))
      if (sessionId === null) throw notFound('Session')
      return writeMetrics({ sessionId, ...(await askSession(request, sessionId, { type: 'session.metrics' })) })
    }
  )

  app.get(
    '/v1/state/context',
    {
      schema: {
        operationId: 'state_context',
        tags: ['sessions'],
        summary: "List the memories nearest to the session's semantic state",
        querystring: ContextQuery,
        response: { 200: Type.Array(ContextItem) }
      }
    },
    async (request) => {
      const { sessionId, ...asked } = readContext(request.query)
      const { items } = await askSession(request, sessionId, {
        type: 'session.context',
        topK: limits.CONTEXT_TOP_K_DEFAULT,
        fullFirst: false,
        maxTextChars: limits.CONTEXT_TEXT_CHARS_DEFAULT,
        ...asked
      })
      return writeContext(items)
    }
  )
}
