/** Routes for the session as a resource: create, delete, and its memories. */
import { Type } from '@sinclair/typebox'
import * as limits from '../domain/limits.js'
import type { MemoryView } from '../domain/session-commands.js'
import type { Ids } from '../ports.js'
import type { Http } from './contracts.js'
import { Embedding, Memory, SessionId, SessionPath, Float32, optional, text, type MemoryBody } from './schemas.js'
import { given, type AskSession } from './session-ask.js'

/** Characters. The longest names of published models are below 100. */
const MODEL_NAME_LENGTH_MAX = 256

const PolicyVector = Type.Object({
  embedding: Embedding,
  weight: Type.Optional(Type.Number({ ...Float32, minimum: 0, default: 1 })),
  promote: Type.Optional(Type.Boolean({ default: true, description: 'False lowers similar memories instead.' }))
})

const CreateBody = Type.Object({
  session_id: optional(SessionId),
  dimension: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.DIMENSION_MAX, default: limits.DIMENSION_DEFAULT })),
  use_cortex: Type.Optional(Type.Boolean({ default: false })),
  use_meta_pss: Type.Optional(Type.Boolean({ description: 'Older name of use_cortex, which wins when both are given.', deprecated: true })),
  model_name: optional(text({ maxLength: MODEL_NAME_LENGTH_MAX })),
  enable_topic_switch: Type.Optional(Type.Boolean({ default: true })),
  template_embedding: optional(Embedding),
  policy_vectors: optional(Type.Array(PolicyVector))
})

const CreateResponse = Type.Object({ session_id: Type.String(), created: Type.Literal(true) })
const DeleteResponse = Type.Object({ session_id: Type.String(), deleted: Type.Literal(true) })
/** One memory of a session. */
export const MemoryPath = Type.Object({ session_id: Type.String(), memory_hash: Type.String() })

/** Create, delete, and the read of one memory. */
export function addSessionRoutes(app: Http, { askSession, ids }: { askSession: AskSession; ids: Ids }): void {
  app.post(
    '/v1/session/create',
    {
      schema: {
        operationId: 'session_create',
        tags: ['sessions'],
        summary: 'Make a session',
        body: CreateBody,
        response: { 200: CreateResponse }
      }
    },
    async (request) => {
      const { body } = request
      const sessionId = body.session_id ?? ids.uuid()
      const policyVectors = (body.policy_vectors ?? []).map(({ embedding, weight = 1, promote = true }) => ({ embedding, weight, promote }))
      await askSession(request, sessionId, {
        type: 'session.create',
        dimension: body.dimension ?? limits.DIMENSION_DEFAULT,
        useCortex: body.use_cortex ?? body.use_meta_pss ?? false,
        enableTopicSwitch: body.enable_topic_switch ?? true,
        policyVectors,
        ...given({ modelName: body.model_name, templateEmbedding: body.template_embedding })
      })
      return { session_id: sessionId, created: true as const }
    }
  )

  app.delete(
    '/v1/session/:session_id',
    {
      schema: {
        operationId: 'session',
        tags: ['sessions'],
        summary: 'Delete a session',
        params: SessionPath,
        response: { 200: DeleteResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      await askSession(request, session_id, { type: 'session.delete' })
      return { session_id, deleted: true as const }
    }
  )

  app.get(
    '/v1/session/:session_id/memories/:memory_hash',
    {
      schema: {
        operationId: 'memory',
        tags: ['sessions'],
        summary: 'Read one memory in full',
        params: MemoryPath,
        response: { 200: Memory }
      }
    },
    async (request) => {
      const { session_id, memory_hash } = request.params
      return toMemoryBody(await askSession(request, session_id, { type: 'session.memory', hash: memory_hash }))
    }
  )
}

/** A memory as it is on the wire. */
export function toMemoryBody(memory: MemoryView): MemoryBody {
  return {
    memory_hash: memory.memoryHash,
    memory_id: memory.memoryId,
    text: memory.text,
    importance: memory.importance,
    access_count: memory.accessCount,
    timestamp: memory.timestamp,
    tier: memory.tier,
    role: memory.role,
    user_id: memory.userId
  }
}
