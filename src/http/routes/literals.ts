/** Routes of the literal cache: pieces of code by key, returned byte for byte. */
import { Type } from '@sinclair/typebox'
import { DomainError } from '../../domain/errors.js'
import * as limits from '../../domain/limits.js'
import { ENTITY_KINDS, type EntityKind } from '../../domain/session.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Http } from '../contract/typed-http.js'
import { AnsweredSessionId, choice, Done, nullable, optional, SessionPath, text } from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'
import { decodeWildcard } from '../plugins/wildcard.js'

/** Interface, Literal cache: `importance` of an entity. */
const IMPORTANCE_DEFAULT = 1

const EntityBody = Type.Object({
  key: text({ maxLength: limits.ENTITY_KEY_LENGTH_MAX, description: 'Key of the entity; may contain slashes.' }),
  kind: Type.String({ description: `Kind of the entity: one of ${ENTITY_KINDS.join(', ')}. Any other gets 400.` }),
  value: text({ description: 'The code itself, kept and returned byte for byte.' }),
  context: optional(text({ maxLength: limits.TEXT_LENGTH_MAX, description: 'Words about the code, in which a search looks too.' })),
  importance: optional(
    Type.Number({ minimum: 0, default: IMPORTANCE_DEFAULT, description: 'Weight of the entity among those that match, from 0.' })
  )
})

const EntityKey = Type.String({ description: 'Key of the entity; may contain slashes.' })

const Entity = Type.Object(
  {
    key: EntityKey,
    kind: choice(ENTITY_KINDS, { description: 'What the code is.' }),
    value: Type.String({ description: 'The code itself, byte for byte.' }),
    context: nullable(Type.String(), 'Words about the code; null for none.'),
    importance: Type.Number({ description: 'Weight of the entity among those that match, from 0.' }),
    access_count: Type.Integer({ description: 'How often a context block has shown it.' }),
    timestamp: Type.Number({ description: 'Time at which the entity was stored, in epoch seconds.' }),
    size: Type.Integer({ description: 'Size of the value in UTF-8 bytes.' })
  },
  { title: 'Entity' }
)

const StoredEntity = Type.Composite([Type.Object({ session_id: AnsweredSessionId }), Entity])

const EntitiesQuery = Type.Object({
  q: Type.Optional(Type.String({ default: '', description: 'Words to look for in keys and values. Empty: every entity.' })),
  max_results: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.ENTITY_RESULTS_MAX, default: limits.ENTITY_RESULTS_DEFAULT }))
})

const EntitiesResponse = Type.Object({
  session_id: AnsweredSessionId,
  entities: Type.Array(Entity, { description: 'The entities that match, best first; without a query all, newest first.' }),
  total: Type.Integer({ description: 'Number of entities that match, listed or not.' })
})

const EntityPath = Type.Object({ session_id: Type.String(), '*': EntityKey })

const RemoveResponse = Type.Object({ session_id: AnsweredSessionId, key: EntityKey, removed: Done })

const readEntity = createReader(EntityBody)
const writeStored = createWriter(StoredEntity)
const writeEntities = createWriter(EntitiesResponse)

/** Adds the routes to put, list and remove entities. */
export function addLiteralRoutes(app: Http, { askSession }: { askSession: AskSession }): void {
  app.post(
    '/v1/session/:session_id/entities',
    {
      schema: {
        operationId: 'entities',
        tags: ['literals'],
        summary: 'Store an entity, replacing one of the same key',
        params: SessionPath,
        body: EntityBody,
        response: { 201: StoredEntity }
      }
    },
    async (request, reply) => {
      const { session_id } = request.params
      const { kind, ...entity } = readEntity(request.body)
      const command = { type: 'entity.put', importance: IMPORTANCE_DEFAULT, ...entity, kind: toKind(kind) } as const
      return reply.code(201).send(writeStored({ sessionId: session_id, ...(await askSession(request, session_id, command)) }))
    }
  )

  app.get(
    '/v1/session/:session_id/entities',
    {
      schema: {
        operationId: 'entities',
        tags: ['literals'],
        summary: 'Find entities by the words of a query',
        params: SessionPath,
        querystring: EntitiesQuery,
        response: { 200: EntitiesResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const { q, max_results } = request.query
      const command = { type: 'entity.list', query: q ?? '', maxResults: max_results ?? limits.ENTITY_RESULTS_DEFAULT } as const
      return writeEntities({ sessionId: session_id, ...(await askSession(request, session_id, command)) })
    }
  )

  app.delete(
    '/v1/session/:session_id/entities/*',
    {
      schema: {
        operationId: 'entity_delete',
        tags: ['literals'],
        summary: 'Remove an entity',
        params: EntityPath,
        response: { 200: RemoveResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const key = decodeWildcard(request.url, '/v1/session/:session_id/entities/*')
      const { removed } = await askSession(request, session_id, { type: 'entity.remove', key })
      return { session_id, key, removed }
    }
  )
}

/** Interface, Errors: an unknown kind is 400, where every other bad field is 422. */
function toKind(word: string): EntityKind {
  const kind = ENTITY_KINDS.find((known) => known === word)
  if (kind === undefined) throw new DomainError('malformed_payload', `Unknown entity kind: use one of ${ENTITY_KINDS.join(', ')}`)
  return kind
}
