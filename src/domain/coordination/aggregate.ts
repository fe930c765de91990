/** Aggregates the states of a cluster's members into one direction. */
import type { AggregationMode } from '../commands/cluster-commands.js'
import type { SharedVector } from '../commands/coordination-commands.js'
import { unitedUsers } from '../shared-users.js'
import { addScaled, similarity, unitOf } from '../similarity/vector.js'

/**
 * Temperature of the attention. A member whose cosine to the cluster's own state is higher by 0.5, as between related and unrelated, weighs
 * e^2.5, twelve times as much; one higher by 0.05, within the noise of embeddings, 1.3 times.
 */
export const ATTENTION_TEMPERATURE = 0.2

export interface AggregateInput {
  readonly mode: AggregationMode
  readonly dimension: number
  /** The cluster's own state, which attention compares with. Null: every member gets the same attention. */
  readonly own: SharedVector | null
}

interface Aggregation {
  /** Adds a member. Its state is a unit vector of the dimension; its weight is above 0 and finite. */
  add(state: SharedVector, weight: number): void
  /** Of unit length. The cluster's own state if there were no members, or they cancel out. */
  result(): SharedVector | null
}

/**
 * Creates the aggregate over members i with states sᵢ and weights wᵢ, where c is the cluster's own state and τ the temperature:
 *
 *   weighted_average   unit( Σ wᵢ · sᵢ )
 *   attention          unit( Σ wᵢ · aᵢ · sᵢ ),  aᵢ = exp(cos(sᵢ, c) / τ) / Σⱼ exp(cos(sⱼ, c) / τ)
 *
 * The softmax of scaled dot-product attention (Vaswani et al. 2017) with the cluster as the query and its members as keys and values. Sums
 * are kept relative to the largest term so far (Milakov and Gimelshein 2018), so that weights of any size neither overflow nor vanish, and
 * the memory of one vector is enough for any number of members. Members without a state are not added.
 */
export function createAggregation({ mode, dimension, own }: AggregateInput): Aggregation {
  const attended = mode === 'attention' ? own : null
  const sum = new Float64Array(dimension)
  let users: readonly string[] | null = []
  /** Logarithm of the largest term so far, which is the unit of `sum`. */
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
      // The weights reveal the cluster's own state, so its data subjects count too.
      return { vector, users: attended === null ? users : unitedUsers([users, attended.users]) }
    }
  }
}
