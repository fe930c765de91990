/** Settings for creating a session, on its own or behind a cluster or a region. */
import { type Static, Type } from '@sinclair/typebox'
import type { CreateSession } from '../../domain/commands/session-commands.js'
import * as limits from '../../domain/limits.js'
import { createReader } from '../contract/codec.js'
import { Embedding, Float32, optional, text } from '../contract/schemas.js'

const PolicyVector = Type.Object(
  {
    embedding: Embedding,
    weight: optional(Type.Number({ ...Float32, minimum: 0, default: 1, description: 'How much the vector counts, from 0.' })),
    promote: optional(Type.Boolean({ default: true, description: 'True ranks memories similar to the vector higher, false lower.' }))
  },
  { title: 'PolicyVector' }
)

/** Interface, Endpoints: the settings of session create. */
export const SessionSettings = Type.Object({
  dimension: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.DIMENSION_MAX,
      default: limits.DIMENSION_DEFAULT,
      description: 'Numbers in a vector of this session.'
    })
  ),
  use_cortex: Type.Optional(Type.Boolean({ default: false, description: 'Whether topics are ranked beside single memories.' })),
  use_meta_pss: Type.Optional(
    Type.Boolean({ description: 'Legacy alias of `use_cortex`, which wins if both are given.', deprecated: true })
  ),
  model_name: optional(
    text({
      maxLength: limits.MODEL_NAME_LENGTH_MAX,
      description: 'Preferred embedding model. If it is not available, the one in use is taken; `model_name` of the metrics tells which.'
    })
  ),
  enable_topic_switch: Type.Optional(Type.Boolean({ default: true, description: 'Whether a turn that drifts opens a topic of its own.' })),
  template_embedding: optional({
    ...Embedding,
    description: 'Vector of what the session is about. It counts as two inputs before the first turn, and fades like them.'
  }),
  policy_vectors: optional(
    Type.Array(PolicyVector, {
      maxItems: limits.POLICY_VECTORS_MAX,
      description: 'Vectors that rank memories similar to them higher or lower.'
    })
  )
})

const readSettings = createReader(SessionSettings)

/** Returns the settings with their defaults. */
export function toSettings(body: Static<typeof SessionSettings>): Omit<CreateSession, 'type' | 'backing'> {
  const { useMetaPss = false, policyVectors = [], ...given } = readSettings(body)
  return {
    dimension: limits.DIMENSION_DEFAULT,
    useCortex: useMetaPss,
    enableTopicSwitch: true,
    ...given,
    policyVectors: policyVectors.map((policy) => ({ weight: 1, promote: true, ...policy }))
  }
}
