/** Routes to add and list memories outside of any turn. All except the injection are extensions beyond the interface. */
import { Type } from '@sinclair/typebox'
import type { IngestedMemory } from '../../domain/commands/control-commands.js'
import { boundedTime, boundedWeight } from '../../domain/counting.js'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Http } from '../contract/typed-http.js'
import {
  AnsweredSessionId,
  Embedding,
  Importance,
  Memory,
  MemoryHash,
  MemoryId,
  nullable,
  optional,
  PageLimit,
  Role,
  SessionPath,
  text,
  Tier,
  TotalMemories,
  UserId
} from '../contract/schemas.js'
import { given } from '../contract/given.js'
import type { AskSession } from '../contract/resource-ask.js'

/** Interface, Session control: `tier` and `importance` of an injected memory. */
const TIER_DEFAULT = 'short_term'
const IMPORTANCE_DEFAULT = 1

const MemoryText = text({ maxLength: limits.TEXT_LENGTH_MAX, description: 'The text to remember.' })
const ExpiresAt = Type.Number({ description: 'Time from which the memory is never returned, in epoch seconds.' })

const InjectBody = Type.Object({
  text: MemoryText,
  embedding: optional({ ...Embedding, description: 'Vector of the text. Default: the text is embedded here.' }),
  tier: optional({
    ...Tier,
    default: TIER_DEFAULT,
    description: 'Tier from which the memory starts. It rises from there, and never falls below it.'
  }),
  importance: optional({ ...Importance, default: IMPORTANCE_DEFAULT }),
  access_count: optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.COUNT_MAX,
      default: 0,
      description: 'How often the memory counts as shown by a context block already; it raises the tier.'
    })
  ),
  expires_at: optional(ExpiresAt)
})

const InjectResponse = Type.Object({
  session_id: AnsweredSessionId,
  tier: Tier,
  total_memories: TotalMemories,
  memory_id: MemoryId,
  memory_hash: MemoryHash
})

const ListQuery = Type.Object({
  limit: PageLimit,
  after: Type.Optional(Type.String({ description: 'Id of the last memory of the previous page.' })),
  role: Type.Optional(Role),
  user_id: Type.Optional(UserId),
  tier: Type.Optional(Tier),
  since: Type.Optional(Type.Number({ description: 'Earliest time, inclusive, in epoch seconds.' })),
  until: Type.Optional(Type.Number({ description: 'Latest time, exclusive, in epoch seconds.' }))
})

const ListResponse = Type.Object({
  memories: Type.Array(Memory, {
    description: 'The memories of the page. It ends early where their texts have more than 4,194,304 characters together.'
  }),
  next: nullable(Type.String(), 'Value of `after` for the next page; null on the last one.')
})

const GivenMemory = Type.Object(
  {
    text: MemoryText,
    role: optional(Role),
    user_id: optional(UserId),
    timestamp: optional(Type.Number({ description: 'Time of the memory, in epoch seconds. Default: now.' })),
    importance: optional({ ...Importance, description: `${Importance.description ?? ''} Default: by the words of the text.` }),
    expires_at: optional(ExpiresAt)
  },
  { title: 'IngestedMemory' }
)

const IngestBody = Type.Object({
  memories: Type.Array(GivenMemory, {
    minItems: 1,
    maxItems: limits.INGEST_MEMORIES_MAX,
    description: 'The memories. One that the session holds already, with the same text, role, user and time, is updated.'
  })
})

const IngestResponse = Type.Object({
  session_id: AnsweredSessionId,
  stored: Type.Integer({ description: 'Number of memories that are new.' }),
  updated: Type.Integer({ description: 'Number of memories that the session already held.' }),
  memories: Type.Array(Type.Object({ memory_id: MemoryId, memory_hash: MemoryHash }), {
    description: 'Ids of the memories, in the order given.'
  })
})

const readInjected = createReader(InjectBody)
const writeInjected = createWriter(InjectResponse)
const readFilter = createReader(ListQuery)
const writeList = createWriter(ListResponse)
const readIngested = createReader(IngestBody)
const writeIngested = createWriter(IngestResponse)

/** Adds the routes to inject, list and ingest memories. */
export function addMemoryRoutes(app: Http, { askSession }: { askSession: AskSession }): void {
  addGivingRoutes(app, askSession)

  app.get(
    '/v1/session/:session_id/memories',
    {
      schema: {
        operationId: 'memories',
        tags: ['extensions'],
        summary: 'List memories in full, oldest first, page by page',
        params: SessionPath,
        querystring: ListQuery,
        response: { 200: ListResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const { limit = limits.PAGE_DEFAULT, after, ...filter } = readFilter(request.query)
      return writeList(await askSession(request, session_id, { type: 'memory.list', limit, filter, ...given({ after }) }))
    }
  )
}

function addGivingRoutes(app: Http, askSession: AskSession): void {
  app.post(
    '/v1/session/:session_id/memory',
    {
      schema: {
        operationId: 'inject_memory',
        tags: ['control'],
        summary: 'Inject a synthetic memory',
        params: SessionPath,
        body: InjectBody,
        response: { 200: InjectResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const { importance = IMPORTANCE_DEFAULT, expiresAt, ...memory } = readInjected(request.body)
      const reply = await askSession(request, session_id, {
        type: 'memory.inject',
        tier: TIER_DEFAULT,
        accessCount: 0,
        ...memory,
        importance: boundedWeight(importance),
        ...given({ expiresAt: bounded(expiresAt, boundedTime) })
      })
      return writeInjected({ sessionId: session_id, ...reply })
    }
  )

  app.post(
    '/v1/session/:session_id/memories',
    {
      schema: {
        operationId: 'memories',
        tags: ['extensions'],
        summary: 'Store many memories, all or nothing',
        params: SessionPath,
        body: IngestBody,
        response: { 200: IngestResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const memories = readIngested(request.body).memories.map(({ timestamp, importance, expiresAt, ...memory }): IngestedMemory => ({
        role: 'user',
        ...memory,
        ...given({
          timestamp: bounded(timestamp, boundedTime),
          importance: bounded(importance, boundedWeight),
          expiresAt: bounded(expiresAt, boundedTime)
        })
      }))
      return writeIngested({ sessionId: session_id, ...(await askSession(request, session_id, { type: 'memory.ingest', memories })) })
    }
  )
}

/** Returns the value clamped by `toBounds`; undefined if it is undefined. */
function bounded(value: number | undefined, toBounds: (value: number) => number): number | undefined {
  return value === undefined ? undefined : toBounds(value)
}
