/** Field schemas that several routes share. All limits are those of the interface. */
import { Kind, type SchemaOptions, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { DRIFT_PHASES, ISOLATION_LEVELS, ROLES, TIERS, UNDERSTANDING_PHASES } from '../../domain/session.js'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../domain/request-keys.js'
import { isLongerThan } from '../../domain/text/characters.js'
import { flawOf } from '../../domain/text/storable.js'

TypeRegistry.Set<TSchema>('Text', (schema, value) => {
  if (typeof value !== 'string' || flawOf(value) !== undefined) return false
  return value.length >= Number(schema['minLength']) && !isLongerThan(value, Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY))
})

TypeRegistry.Set<TSchema>('Choice', (schema, value) => (schema['enum'] as unknown[]).includes(value))

/** Free text of at least one character, storable everywhere. Lengths count code points. */
export function text(options: SchemaOptions & { minLength?: number; maxLength?: number } = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ minLength: 1, ...options, [Kind]: 'Text', type: 'string' })
}

/** One of a fixed set of words. */
export function choice<const Words extends readonly string[]>(words: Words, options: SchemaOptions = {}): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ ...options, [Kind]: 'Choice', type: 'string', enum: [...words] })
}

/** A value or null. */
export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}

/** May be omitted or null; clients in typed languages send null for a missing field. The description is that of the field. */
export function optional<Schema extends TSchema>(schema: Schema) {
  const own = { ...schema }
  delete own.description
  return Type.Optional(nullable(own, schema.description))
}

/** Interface, Session id rules. */
export const SessionId = Type.String({
  pattern: '^[A-Za-z0-9_-]+$',
  minLength: 1,
  maxLength: limits.SESSION_ID_LENGTH_MAX,
  description: 'Id, unique within its license subject.'
})

/** Tells what was done. What was not done is a refusal. */
export const Done = Type.Literal(true, { description: 'Always true: it was done.' })

/** Id of the session that an answer is about. */
export const AnsweredSessionId = Type.String({ description: 'Id of the session.' })

/** Memories of a session after the call. */
export const TotalMemories = Type.Integer({ description: 'Number of memories of the session that have not expired, from 0.' })

/** Importance that a request gives a memory. */
export const Importance = Type.Number({
  minimum: 0,
  description: 'Weight of the memory in retrieval, from 0; that of a plain turn is 0.3 to 0.9. Values above 3.4e38 count as that.'
})

/** Interface, Endpoints: path parameters are plain strings. One that breaks the id rules names nothing: 404. */
export const SessionPath = Type.Object({ session_id: Type.String() })
export const ClusterPath = Type.Object({ cluster_id: Type.String() })
export const RegionPath = Type.Object({ region_id: Type.String() })

/** `limit` of a listing that is read page by page. */
export const PageLimit = Type.Optional(Type.Integer({ minimum: 1, maximum: limits.PAGE_MAX, default: limits.PAGE_DEFAULT }))

/** Query of a log, newest entries first. */
export const LogQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.LOG_ENTRIES_MAX, default: limits.LOG_ENTRIES_DEFAULT }))
})

/** Name that a request gives a cluster or a region. */
export const GivenName = optional(
  text({ maxLength: limits.NAME_LENGTH_MAX, description: 'A name for people; it names nothing in any route.' })
)

/** Name of a cluster or a region. */
export const Name = nullable(Type.String(), 'Name for people; null for none.')

/** The data subject of a turn, not the license subject. */
export const UserId = text({
  maxLength: limits.USER_ID_LENGTH_MAX,
  description: 'Data subject: the person that the text is from. Not the license subject.'
})

/** A field of bodies: the interface supports no header for it. */
export const IdempotencyKey = optional(
  text({
    maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
    description: 'Key for safe retries: the same request with the same key again changes nothing, and gets the same answer.'
  })
)

/** A number that fits into the Float32 in which it is stored. */
export const Float32 = Type.Number({ minimum: -limits.FLOAT32_MAX, maximum: limits.FLOAT32_MAX })

/** As many numbers as the session has dimensions; the session checks the length. */
export const Embedding = Type.Array(Float32, {
  minItems: 1,
  maxItems: limits.DIMENSION_MAX,
  description: 'Vector of as many numbers as the session has dimensions.'
})

/** Drift of a session or cluster as of its last turn. */
export const DriftScore = Type.Number({ description: 'Drift of the last turn: how far it is from what the session was about, 0 to 1.' })

export const Role = choice(ROLES, {
  description: 'Who said it: the user, the assistant, or nobody (`synthetic`: injected, or concluded by a model).'
})
export const Tier = choice(TIERS, {
  description: 'How firmly the memory is held, by its importance, use and age.'
})
export const DriftPhase = choice(DRIFT_PHASES, {
  description:
    'Drift of the session: `drifted` from the drift threshold (0.5) up, `stable` below 0.6 of it (0.3), `shifting` between. A session that has drifted stays so until a turn is below 0.6 of the threshold, or three user turns in a row are below the threshold.'
})
export const UnderstandingPhase = choice(UNDERSTANDING_PHASES, {
  description: 'How far the session has come in understanding what it is about. It is not its drift.'
})
export const IsolationLevel = choice(ISOLATION_LEVELS, {
  description:
    'What becomes of inputs off the domain: `OPEN` lets all pass, `FILTER` weighs them less, `QUARANTINE` holds them back, `LOCKDOWN` blocks them.'
})

export const DedupSignal = Type.Object(
  {
    is_update: Type.Boolean({ description: 'Whether the text counts as an update of a memory.' }),
    max_sim: Type.Number({
      description:
        'Similarity of the text to its nearest memory, -1 to 1: at most 0.8 where the facts of the two differ, 0 without a memory.'
    }),
    matched_id: nullable(Type.String({ format: 'uuid' }), 'Id of the memory that it updates; null for none.')
  },
  { title: 'DedupSignal' }
)

export const MemoryHash = Type.String({
  description: "First 32 hex digits of the SHA-256 of the memory's text; the routes of a memory take it."
})
export const MemoryId = Type.String({ description: 'Id of the memory, a UUID.' })

export const Memory = Type.Object(
  {
    memory_hash: MemoryHash,
    memory_id: MemoryId,
    text: Type.String({ description: 'The text, as it was said.' }),
    importance: Type.Number({ description: 'Weight of the memory in retrieval, from 0.' }),
    access_count: Type.Integer({ description: 'How often a context block has shown it.' }),
    timestamp: Type.Number({ description: 'Time of the memory, in epoch seconds.' }),
    tier: Tier,
    role: Role,
    user_id: nullable(Type.String(), 'Data subject: the person that the text is from; null for none.'),
    pinned: Type.Boolean({ description: 'Whether it is kept by hand: it does not expire, and a context block shows it first.' })
  },
  { title: 'Memory' }
)
