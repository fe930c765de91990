import fc from 'fast-check'
import t from 'tap'
import type { SharedVector } from '../../../src/domain/commands/coordination-commands.js'
import { type AggregateInput, ATTENTION_TEMPERATURE, createAggregation } from '../../../src/domain/coordination/aggregate.js'
import { dot, norm } from '../../../src/domain/similarity/vector.js'
import { unitVector } from '../similarity/arbitrary-vectors.js'

const DIMENSION = 5

interface Member {
  readonly state: SharedVector
  readonly weight: number
}

function aggregateOf(input: Omit<AggregateInput, 'dimension'>, members: readonly Member[]): SharedVector | null {
  const aggregation = createAggregation({ ...input, dimension: DIMENSION })
  for (const { state, weight } of members) aggregation.add(state, weight)
  return aggregation.result()
}

/** The formula in plain arithmetic. Null if nothing is left of the sum but rounding errors. */
function directly({ mode, own }: Omit<AggregateInput, 'dimension'>, members: readonly Member[]): number[] | null {
  const cosines = members.map(({ state }) => (own === null ? 0 : dot(state.vector, own.vector)))
  const exponentials = cosines.map((cosine) => Math.exp(cosine / ATTENTION_TEMPERATURE))
  const total = exponentials.reduce((sum, value) => sum + value, 0)
  const shares = mode === 'attention' && own !== null ? exponentials.map((value) => value / total) : members.map(() => 1)
  const sum = Array.from({ length: DIMENSION }, (_, at) =>
    members.reduce((so, { state, weight }, i) => so + weight * (shares[i] ?? 0) * (state.vector[at] ?? 0), 0)
  )
  const length = Math.hypot(...sum)
  const largest = Math.max(...members.map(({ weight }, i) => weight * (shares[i] ?? 0)))
  return length < 1e-4 * largest ? null : sum.map((value) => value / length)
}

const direction = unitVector(DIMENSION).filter((vector) => norm(vector) > 0)
const users = fc.option(fc.array(fc.constantFrom('ann', 'bob', 'cid'), { maxLength: 2 }), { nil: null })
const shared: fc.Arbitrary<SharedVector> = fc.record({ vector: direction, users })
const member: fc.Arbitrary<Member> = fc.record({ state: shared, weight: fc.double({ min: 1e-3, max: 1e3, noNaN: true }) })
const input = fc.record({ mode: fc.constantFrom('weighted_average', 'attention'), own: fc.option(shared, { nil: null }) })

t.test('an aggregate: what the formula says, of unit length, whatever the order of the members', async () => {
  fc.assert(
    fc.property(input, fc.array(member, { minLength: 1, maxLength: 20 }), (given, members) => {
      const expected = directly(given, members)
      if (expected === null) return fc.pre(false)
      for (const order of [members, [...members].reverse()]) {
        const { vector } = aggregateOf(given, order) ?? { vector: new Float32Array() }
        for (const [at, value] of expected.entries()) if (Math.abs(value - (vector[at] ?? Number.NaN)) > 1e-5) return false
        if (Math.abs(norm(vector) - 1) > 1e-5) return false
      }
      return true
    })
  )
})

t.test('an aggregate: the sizes of all weights together do not matter, however small or large', async (t) => {
  const [north, east] = [Float32Array.of(1, 0, 0, 0, 0), Float32Array.of(0, 1, 0, 0, 0)]
  for (const scale of [5e-324, 1e-200, 1, 1e300]) {
    const members = [north, east].map((vector, at) => ({ state: { vector, users: [] }, weight: scale * (at === 0 ? 3 : 4) }))
    const { vector } = aggregateOf({ mode: 'weighted_average', own: null }, members) ?? { vector: [] }
    // 3 and 4 times the smallest number there is are exact.
    t.ok(Math.abs((vector[0] ?? 0) - 0.6) < 1e-6 && Math.abs((vector[1] ?? 0) - 0.8) < 1e-6, String(scale))
  }
})

t.test('attention: follows who is near the own state; without one it is the weighted average', async (t) => {
  const own = { vector: Float32Array.of(1, 0, 0, 0, 0), users: ['own'] }
  const near = { state: { vector: Float32Array.of(0.6, 0.8, 0, 0, 0), users: ['near'] }, weight: 1 }
  const far = { state: { vector: Float32Array.of(0.1, 0, Math.sqrt(0.99), 0, 0), users: ['far'] }, weight: 1 }
  const attended = aggregateOf({ mode: 'attention', own }, [near, far])
  // e^2.5: half a unit of cosine nearer.
  t.ok(Math.abs((attended?.vector[1] ?? 0) / 0.8 / ((attended?.vector[2] ?? 0) / Math.sqrt(0.99)) - Math.exp(2.5)) < 1e-3)
  t.strictSame(attended?.users, ['far', 'near', 'own'], 'the own state is in the weights')
  const plain = aggregateOf({ mode: 'weighted_average', own }, [near, far])
  t.strictSame(plain?.users, ['far', 'near'])
  t.strictSame(aggregateOf({ mode: 'attention', own: null }, [near, far]), plain)
})

t.test('an aggregate of nobody, or of opposites: the own state', async (t) => {
  const own = { vector: Float32Array.of(1, 0, 0, 0, 0), users: ['own'] }
  const up = { state: { vector: Float32Array.of(0, 1, 0, 0, 0), users: [] }, weight: 2 }
  const down = { state: { vector: Float32Array.of(0, -1, 0, 0, 0), users: [] }, weight: 2 }
  for (const mode of ['weighted_average', 'attention'] as const) {
    t.equal(aggregateOf({ mode, own }, []), own)
    t.equal(aggregateOf({ mode, own: null }, []), null)
    t.equal(aggregateOf({ mode, own }, [up, down]), own)
  }
})

t.test("an aggregate's data subjects: unknown when one member's are", async (t) => {
  const of = (known: readonly string[] | null) => ({ state: { vector: Float32Array.of(1, 0, 0, 0, 0), users: known }, weight: 1 })
  const given = { mode: 'weighted_average', own: null } as const
  t.strictSame(aggregateOf(given, [of(['a', 'b']), of(['b', 'c'])])?.users, ['a', 'b', 'c'])
  t.equal(aggregateOf(given, [of(['a']), of(null), of(['b'])])?.users, null)
})
