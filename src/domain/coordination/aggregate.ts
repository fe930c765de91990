/** What the members of a cluster have in common: one direction out of theirs. */
import type { AggregationMode } from '../commands/cluster-commands.js'
import type { SharedVector } from '../commands/coordination-commands.js'
import { similarity } from '../semantic-state.js'
import { unitedUsers } from '../shared-users.js'
import { addScaled, unitOf } from '../vector.js'

/**
 * Temperature of the attention. A member half a unit of cosine nearer to the cluster's own state, as something related is to something
 * unrelated, then weighs e^2.5, twelve times as much; one that is 0.05 nearer, within the noise of embeddings, 1.3 times.
 */
export const ATTENTION_TEMPERATURE = 0.2

export interface AggregateInput {
  readonly mode: AggregationMode
  readonly dimension: number
  /** The cluster's own state: what attention compares with. Null: every member gets the same attention. */
  readonly own: SharedVector | null
}

export interface Aggregation {
  /** Takes a member in; its state is a unit vector of the dimension, its weight above 0 and finite. */
  add(state: SharedVector, weight: number): void
  /** Unit length; the cluster's own state when no member was taken in, or when they cancel each other out. */
  result(): SharedVector | null
}

/**
 * The aggregate over members i with states sᵢ and weights wᵢ, c being the cluster's own state and τ the temperature:
 *
 *   weighted_average   unit( Σ wᵢ · sᵢ )
 *   attention          unit( Σ wᵢ · aᵢ · sᵢ ),  aᵢ = exp(cos(sᵢ, c) / τ) / Σⱼ exp(cos(sⱼ, c) / τ)
 *
 * The softmax of scaled dot-product attention (Vaswani et al. 2017) with the cluster as the query and its members as keys and values.
 * Sums are kept relative to the largest term so far (Milakov and Gimelshein 2018), so weights of any size neither overflow nor vanish,
 * and one vector's memory is enough for any number of members. Members that have no state are not taken in.
 */
export function createAggregation({ mode, dimension, own }: AggregateInput): Aggregation {
  const attended = mode === 'attention' ? own : null
  const sum = new Float64Array(dimension)
  let users: readonly string[] | null = []
  /** Logarithm of the largest term so far; the sum is in its units. */
  let largest = Number.NEGATIVE_INFINITY

  return {
    add(state, weight) {
      const term = Math.log(weight) + (attended === null ? 0 : similarity(state.vector, attended.vector) / ATTENTION_TEMPERATURE)
      if (term > largest) {
        const share = Math.exp(largest - term)
        for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) * share
        largest = term
      }
      addScaled(sum, state.vector, Math.exp(term - largest))
      users = unitedUsers([users, state.users])
    },
    result() {
      const vector = unitOf(sum)
      if (vector === null) return own
      // The weights hold what the cluster's own state was made of.
      return { vector, users: attended === null ? users : unitedUsers([users, attended.users]) }
    }
  }
}
