/** Schema of the wire form of an export. Strict: no missing fields, no additional ones, no values out of range. */
import { Kind, type Static, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { SEGMENTS_MAX } from '../../../src/domain/drift/topic-segments.js'
import {
  ANCHORS_MAX,
  COUNT_MAX,
  DIMENSION_MAX,
  ENTITIES_MAX,
  ENTITY_KEY_LENGTH_MAX,
  ENTITY_VALUE_BYTES_MAX,
  FLOAT32_MAX,
  FOLD_LOG_MAX,
  HELD_INPUTS_MAX,
  ISOLATION_VECTORS_MAX,
  KEYWORD_LENGTH_MAX,
  MODEL_NAME_LENGTH_MAX,
  POLICY_VECTORS_MAX,
  REALIGNMENT_TURNS,
  REPLY_TO_MAX,
  TEXT_LENGTH_MAX,
  TIME_MAX_S,
  TRIGGERS_MAX,
  USER_ID_LENGTH_MAX
} from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { DELTAS_MAX } from '../../../src/domain/similarity/semantic-state.js'
import { DRIFT_PHASES, ENTITY_KINDS, ISOLATION_LEVELS, ROLES, TIERS, UNDERSTANDING_PHASES } from '../../../src/domain/session.js'
import { SHARED_USERS_MAX } from '../../../src/domain/shared-users.js'
import { isLongerThan } from '../../../src/domain/text/characters.js'
import { DOCUMENT_FORMAT, DOCUMENT_VERSION } from './document.js'
import { CALM_TURNS_MAX } from './mind.js'

const strict = { additionalProperties: false }
const count = Type.Integer({ minimum: 0, maximum: COUNT_MAX })
/** Bounded, as every message that drifts is compared with each segment. */
const segment = Type.Integer({ minimum: 0, maximum: SEGMENTS_MAX - 1 })
const share = Type.Number({ minimum: 0, maximum: 1 })
const cosine = Type.Number({ minimum: -1, maximum: 1 })
// Bounded so that sums of such numbers, and products of two, stay far below the range of double precision.
const weight = Type.Number({ minimum: 0, maximum: FLOAT32_MAX })
const time = Type.Number({ minimum: -TIME_MAX_S, maximum: TIME_MAX_S })
const id = Type.String({ minLength: 1, maxLength: 64 })
/** Base64 of one vector's float32 values. */
const vector = Type.String({ maxLength: 4 * Math.ceil((4 * DIMENSION_MAX) / 3) })
/** Base64 of concatenated vectors. Unbounded here: their number follows from other fields. */
const vectors = Type.String()
const vectorList = Type.Array(vector, { maxItems: ISOLATION_VECTORS_MAX })
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

TypeRegistry.Set<TSchema>('Characters', (schema, value) => {
  return typeof value === 'string' && value.length > 0 && !isLongerThan(value, Number(schema['maxLength']))
})

/** A text of 1 to `maxLength` characters, counted as the routes count them. */
function characters(maxLength: number): TUnsafe<string> {
  return Type.Unsafe<string>({ maxLength, [Kind]: 'Characters', type: 'string' })
}

const longText = characters(TEXT_LENGTH_MAX)
const user = characters(USER_ID_LENGTH_MAX)
// Twice the length: a model of local files is identified by its name and a checksum of the files.
const modelName = characters(2 * MODEL_NAME_LENGTH_MAX)
const role = oneOf(ROLES)
const tier = oneOf(TIERS)
const level = oneOf(ISOLATION_LEVELS)
const driftPhase = oneOf(DRIFT_PHASES)
const phase = oneOf(UNDERSTANDING_PHASES)
const kind = oneOf(ENTITY_KINDS)

function oneOf<Word extends string>(words: readonly Word[]) {
  return Type.Union(words.map((word) => Type.Literal(word)))
}

// Twice the length: a character may be a pair of surrogates, which counts two UTF-16 units.
const partEnds = Type.Array(count, { minItems: 1, maxItems: 2 * TEXT_LENGTH_MAX })

const settings = Type.Object(
  {
    dimension: Type.Integer({ minimum: 1, maximum: DIMENSION_MAX }),
    model_name: modelName,
    use_cortex: Type.Boolean(),
    enable_topic_switch: Type.Boolean(),
    template_embedding: nullable(vector),
    policy_vectors: Type.Array(Type.Object({ embedding: vector, weight, promote: Type.Boolean() }, strict), {
      maxItems: POLICY_VECTORS_MAX
    }),
    created_at: time
  },
  strict
)

const fold = Type.Object({ memory_id: id, role, turn: count, weight, dissimilarity: share, drift_score: share, segment }, strict)

const head = Type.Object(
  {
    format: Type.Literal(1),
    settings,
    next_seq: Type.Integer({ minimum: 1, maximum: COUNT_MAX }),
    interaction_count: count,
    short_circuits: count,
    topic_switches: count,
    folds: Type.Array(fold, { maxItems: FOLD_LOG_MAX }),
    open_question_id: nullable(id),
    segment,
    drift_score: share,
    drift_phase: driftPhase,
    // Optional: exports of versions before `calm_turns` lack it.
    calm_turns: Type.Optional(Type.Integer({ minimum: 0, maximum: CALM_TURNS_MAX })),
    phase,
    isolation_level: level,
    isolation_threshold: cosine,
    realignment_remaining: Type.Integer({ minimum: 0, maximum: REALIGNMENT_TURNS }),
    last_active_at: time
  },
  strict
)

const memory = Type.Object(
  {
    id,
    seq: Type.Integer({ minimum: 1, maximum: COUNT_MAX }),
    hash: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    text: longText,
    role,
    user_id: nullable(user),
    timestamp: time,
    turn: count,
    reply_to: Type.Array(id, { maxItems: REPLY_TO_MAX }),
    base_tier: tier,
    expires_at: nullable(time),
    part_ends: partEnds,
    vectors,
    is_pending: Type.Optional(Type.Literal(true))
  },
  strict
)

const stats = Type.Object(
  {
    importance: weight,
    access_count: count,
    accessed_at: time,
    is_protected: Type.Boolean(),
    segment,
    is_pinned: Type.Optional(Type.Literal(true)),
    share: Type.Optional(share)
  },
  strict
)

const anchor = Type.Object({ id, embedding: vector, text: nullable(longText) }, strict)

const trigger = Type.Object(
  {
    id,
    keyword: nullable(characters(KEYWORD_LENGTH_MAX)),
    embedding: nullable(vector),
    threshold: cosine,
    fired_count: count,
    fired_turn: count
  },
  strict
)

const delta = Type.Object(
  // `users` is optional: exports of versions before it lack it.
  { id, vector, turn: count, users: Type.Optional(nullable(Type.Array(user, { maxItems: SHARED_USERS_MAX }))) },
  strict
)

const heldInput = Type.Object(
  {
    id,
    seq: Type.Integer({ minimum: 1, maximum: COUNT_MAX }),
    text: longText,
    user_id: nullable(user),
    timestamp: time,
    part_ends: partEnds,
    vectors,
    is_pending: Type.Optional(Type.Literal(true))
  },
  strict
)

const entity = Type.Object(
  {
    key: characters(ENTITY_KEY_LENGTH_MAX),
    kind,
    // Bounded in characters, of at least one byte each. The bytes are counted later.
    value: Type.String({ maxLength: ENTITY_VALUE_BYTES_MAX }),
    context: nullable(longText),
    importance: Type.Number({ minimum: 0 }),
    access_count: count,
    timestamp: time
  },
  strict
)

/** Schemas of the items of long lists, which are checked one by one. The number of memories is bounded by configuration, not here. */
const ITEMS = {
  memories: { schema: Type.Object({ memory, stats }, strict), max: Infinity },
  anchors: { schema: anchor, max: ANCHORS_MAX },
  triggers: { schema: trigger, max: TRIGGERS_MAX },
  deltas: { schema: delta, max: DELTAS_MAX },
  held: { schema: heldInput, max: HELD_INPUTS_MAX },
  entities: { schema: entity, max: ENTITIES_MAX }
} as const

type ListName = keyof typeof ITEMS

const LIST_NAMES = Object.keys(ITEMS) as ListName[]

function listOf(maxItems: number) {
  return Type.Array(Type.Unknown(), Number.isFinite(maxItems) ? { maxItems } : {})
}

const session = Type.Object(
  {
    head,
    ...(Object.fromEntries(LIST_NAMES.map((name) => [name, listOf(ITEMS[name].max)])) as Record<ListName, ReturnType<typeof listOf>>),
    isolation: Type.Object({ exclusions: vectorList, allowlist: vectorList }, strict)
  },
  strict
)

const document = Type.Object(
  {
    format: Type.Literal(DOCUMENT_FORMAT),
    version: Type.Integer({ minimum: 1, maximum: DOCUMENT_VERSION }),
    dimension: Type.Integer(),
    model_name: modelName,
    memory_count: count,
    session,
    checksum: Type.String({ pattern: '^[0-9a-f]{64}$' })
  },
  strict
)

/** A `state_dict` of the right shape; the consistency of its parts is not checked yet. */
type WireDocument = Static<typeof document>

const compiled = TypeCompiler.Compile(document)
const compiledItems = LIST_NAMES.map((name) => [name, TypeCompiler.Compile(ITEMS[name].schema)] as const)

/** Returns the value if it has the shape of a `state_dict`, else null. */
export function* toWireDocument(value: unknown): Pieces<WireDocument | null> {
  if (!compiled.Check(value)) return null
  for (const [name, item] of compiledItems) {
    for (const one of value.session[name]) {
      yield
      if (!item.Check(one)) return null
    }
  }
  return value
}
