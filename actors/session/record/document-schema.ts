/** The wire form of an export, as strictly as its checksum: nothing more, nothing less, nothing out of range. */
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import {
  ANCHORS_MAX,
  COUNT_MAX,
  DIMENSION_MAX,
  ENTITIES_MAX,
  FLOAT32_MAX,
  FOLD_LOG_MAX,
  HELD_INPUTS_MAX,
  ISOLATION_VECTORS_MAX,
  POLICY_VECTORS_MAX,
  REALIGNMENT_TURNS,
  REPLY_TO_MAX,
  TIME_MAX_S,
  TRIGGERS_MAX,
  USER_ID_LENGTH_MAX
} from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { SHARED_USERS_MAX } from '../../../src/domain/shared-users.js'
import { DOCUMENT_FORMAT, DOCUMENT_VERSION } from './document.js'
import { CALM_TURNS_MAX } from './mind.js'

const strict = { additionalProperties: false }
const count = Type.Integer({ minimum: 0, maximum: COUNT_MAX })
const share = Type.Number({ minimum: 0, maximum: 1 })
const cosine = Type.Number({ minimum: -1, maximum: 1 })
// Sums of such numbers, and products of two, are far from where double precision ends.
const weight = Type.Number({ minimum: 0, maximum: FLOAT32_MAX })
const time = Type.Number({ minimum: -TIME_MAX_S, maximum: TIME_MAX_S })
const id = Type.String({ minLength: 1, maxLength: 64 })
const vector = Type.String()
const vectorList = Type.Array(vector, { maxItems: ISOLATION_VECTORS_MAX })
const nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number>>(schema: T) => Type.Union([schema, Type.Null()])
// Characters count once, and twice where they are pairs of surrogates. Telling them apart is slow, so there are no more than export writes.
const users = Type.Array(Type.String({ minLength: 1, maxLength: 2 * USER_ID_LENGTH_MAX }), {
  maxItems: SHARED_USERS_MAX,
  uniqueItems: true
})
const role = Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('synthetic')])
const tier = Type.Union([Type.Literal('short_term'), Type.Literal('medium_term'), Type.Literal('long_term')])
const level = Type.Union([Type.Literal('OPEN'), Type.Literal('FILTER'), Type.Literal('QUARANTINE'), Type.Literal('LOCKDOWN')])
const driftPhase = Type.Union([Type.Literal('stable'), Type.Literal('shifting'), Type.Literal('drifted')])
const phase = Type.Union(
  (['initialization', 'exploration', 'convergence', 'resonance', 'stability', 'instability'] as const).map((name) => Type.Literal(name))
)
const kind = Type.Union(
  (['variable', 'function', 'class', 'path', 'error', 'signature', 'constant', 'type'] as const).map((name) => Type.Literal(name))
)

const settings = Type.Object(
  {
    dimension: Type.Integer({ minimum: 1, maximum: DIMENSION_MAX }),
    model_name: Type.String({ minLength: 1 }),
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

const fold = Type.Object({ memory_id: id, role, turn: count, weight, dissimilarity: share, drift_score: share, segment: count }, strict)

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
    segment: count,
    drift_score: share,
    drift_phase: driftPhase,
    // Exports made before drift had a memory have no such field.
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
    text: Type.String({ minLength: 1 }),
    role,
    user_id: nullable(Type.String()),
    timestamp: time,
    turn: count,
    reply_to: Type.Array(id, { maxItems: REPLY_TO_MAX, uniqueItems: true }),
    base_tier: tier,
    expires_at: nullable(time),
    part_ends: Type.Array(count, { minItems: 1 }),
    vectors: vector,
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
    segment: count,
    is_pinned: Type.Optional(Type.Literal(true)),
    share: Type.Optional(share)
  },
  strict
)

const session = Type.Object(
  {
    head,
    // Looked at one by one.
    memories: Type.Array(Type.Unknown()),
    anchors: Type.Array(Type.Object({ id, embedding: vector, text: nullable(Type.String()) }, strict), { maxItems: ANCHORS_MAX }),
    triggers: Type.Array(
      Type.Object(
        { id, keyword: nullable(Type.String()), embedding: nullable(vector), threshold: cosine, fired_count: count, fired_turn: count },
        strict
      ),
      { maxItems: TRIGGERS_MAX }
    ),
    // Exports made before deltas carried their data subjects have no such field.
    deltas: Type.Array(Type.Object({ id, vector, turn: count, users: Type.Optional(Type.Union([users, Type.Null()])) }, strict)),
    isolation: Type.Object({ exclusions: vectorList, allowlist: vectorList }, strict),
    held: Type.Array(
      Type.Object(
        {
          id,
          seq: Type.Integer({ minimum: 1, maximum: COUNT_MAX }),
          text: Type.String({ minLength: 1 }),
          user_id: nullable(Type.String()),
          timestamp: time,
          part_ends: Type.Array(count, { minItems: 1 }),
          vectors: vector,
          is_pending: Type.Optional(Type.Literal(true))
        },
        strict
      ),
      { maxItems: HELD_INPUTS_MAX }
    ),
    entities: Type.Array(
      Type.Object(
        {
          key: Type.String({ minLength: 1 }),
          kind,
          value: Type.String(),
          context: nullable(Type.String()),
          importance: Type.Number({ minimum: 0 }),
          access_count: count,
          timestamp: time
        },
        strict
      ),
      { maxItems: ENTITIES_MAX }
    )
  },
  strict
)

const document = Type.Object(
  {
    format: Type.Literal(DOCUMENT_FORMAT),
    version: Type.Integer({ minimum: 1, maximum: DOCUMENT_VERSION }),
    dimension: Type.Integer(),
    model_name: Type.String(),
    memory_count: count,
    session,
    checksum: Type.String({ pattern: '^[0-9a-f]{64}$' })
  },
  strict
)

/** A `state_dict` whose shape is right; what its parts say of each other is not looked at yet. */
export type WireDocument = Static<typeof document>

const compiled = TypeCompiler.Compile(document)
const compiledEntry = TypeCompiler.Compile(Type.Object({ memory, stats }, strict))

/** The value, if it has the shape of a `state_dict`; else null. */
export function* toWireDocument(value: unknown): Pieces<WireDocument | null> {
  if (!compiled.Check(value)) return null
  for (const entry of value.session.memories) {
    yield
    if (!compiledEntry.Check(entry)) return null
  }
  return value
}
