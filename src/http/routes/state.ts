/** Routes that read a session's state: its metrics, and the memories it would recall. */
import { Type } from '@sinclair/typebox'
import { notFound } from '../../domain/errors.js'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Directory } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import {
  AnsweredSessionId,
  DriftPhase,
  DriftScore,
  IsolationLevel,
  Memory,
  nullable,
  SessionId,
  SessionPath,
  UnderstandingPhase
} from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'

const Metrics = Type.Object({
  session_id: AnsweredSessionId,
  phase: UnderstandingPhase,
  drift_phase: DriftPhase,
  drift_score: DriftScore,
  drift_threshold: Type.Number({ description: 'Score from which a turn counts as drifted: `SERVICE_DRIFT_THRESHOLD`.' }),
  interaction_count: Type.Integer({ description: 'Number of turns.' }),
  total_memories: Type.Integer({ description: 'Number of memories that have not expired.' }),
  tiers: Type.Object(
    {
      short_term: Type.Integer({ description: 'Memories of this tier.' }),
      medium_term: Type.Integer({ description: 'Memories of this tier.' }),
      long_term: Type.Integer({ description: 'Memories of this tier.' })
    },
    { title: 'TierCounts', description: 'Number of memories by tier.' }
  ),
  mean_similarity: Type.Number({ description: 'Mean similarity of the latest inputs to those before them, -1 to 1.' }),
  similarity_variance: Type.Number({ description: 'Variance of those similarities.' }),
  topic_switches: Type.Integer({ description: 'How often the topic has changed.' }),
  short_circuits: Type.Integer({ description: 'Number of turns that were short circuits.' }),
  anchor_count: Type.Integer({ description: 'Number of drift anchors.' }),
  anchor_score: nullable(
    Type.Number(),
    "Similarity of the session's semantic state to the nearest anchor, -1 to 1; 0 before any input, null without an anchor."
  ),
  trigger_count: Type.Integer({ description: 'Number of resonance triggers.' }),
  triggers: Type.Array(
    Type.Object(
      {
        trigger_id: Type.String({ description: 'Id of the trigger.' }),
        keyword: nullable(Type.String(), 'Its keyword; null for a trigger with an embedding.'),
        fired_count: Type.Integer({ description: 'How often it fired.' }),
        last_fired_turn: nullable(Type.Integer(), 'Turn in which it fired last; null before that.')
      },
      { title: 'Trigger' }
    ),
    { description: 'The triggers, by id.' }
  ),
  entity_count: Type.Integer({ description: 'Number of entities in the literal cache.' }),
  isolation: Type.Object(
    {
      level: IsolationLevel,
      similarity_threshold: Type.Number({ description: 'Similarity to the domain below which an input is off it.' }),
      quarantined_count: Type.Integer({ description: 'Number of inputs that are held back.' })
    },
    { title: 'IsolationState', description: 'Isolation of the session.' }
  ),
  dimension: Type.Integer({ description: 'Numbers in a vector of this session.' }),
  model_name: Type.String({ description: 'Embedding model that makes its vectors.' }),
  use_cortex: Type.Boolean({ description: 'Whether topics are ranked beside single memories.' }),
  enable_topic_switch: Type.Boolean({ description: 'Whether a turn that drifts opens a topic of its own.' }),
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
      truncated: Type.Boolean({ description: 'Whether `text` was cut to `max_text_chars`.' }),
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
