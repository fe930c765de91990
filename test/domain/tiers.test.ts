import fc from 'fast-check'
import t from 'tap'
import type { Tier } from '../../src/domain/session.js'
import { consolidationStrength, effectiveTier, type TierInput } from '../../src/domain/tiers.js'

const tierRank = (tier: Tier): number => ['short_term', 'medium_term', 'long_term'].indexOf(tier)

const anyInput: fc.Arbitrary<TierInput> = fc.record({
  baseTier: fc.constantFrom<Tier>('short_term', 'medium_term', 'long_term'),
  importance: fc.double({ min: 0, max: 10, noNaN: true }),
  accessCount: fc.nat(1000),
  ageTurns: fc.nat(10000)
})

t.test('a new plain turn is in short term', async (t) => {
  t.equal(effectiveTier({ baseTier: 'short_term', importance: 0.9, accessCount: 0, ageTurns: 0 }), 'short_term')
})

t.test('a memory that no turn has come after is in the tier that it was given', async (t) => {
  for (const baseTier of ['short_term', 'medium_term', 'long_term'] as const)
    t.equal(effectiveTier({ baseTier, importance: 9, accessCount: 100, ageTurns: 0 }), baseTier)
})

t.test('importance, use and age each consolidate', async (t) => {
  t.equal(effectiveTier({ baseTier: 'short_term', importance: 2, accessCount: 0, ageTurns: 1 }), 'medium_term')
  t.equal(effectiveTier({ baseTier: 'short_term', importance: 0.6, accessCount: 4, ageTurns: 1 }), 'medium_term')
  t.equal(effectiveTier({ baseTier: 'short_term', importance: 0.6, accessCount: 0, ageTurns: 200 }), 'medium_term')
  t.equal(effectiveTier({ baseTier: 'short_term', importance: 0.8, accessCount: 15, ageTurns: 20 }), 'long_term')
})

t.test('a tier begins at its strength', async (t) => {
  const tierAt = (importance: number): Tier => effectiveTier({ baseTier: 'short_term', importance, accessCount: 0, ageTurns: 1 })
  // The one turn of age is 0.034.
  t.same([1.465, 1.467, 2.465, 2.467].map(tierAt), ['short_term', 'medium_term', 'medium_term', 'long_term'])
})

t.test('the tier never lies below the base tier', async () => {
  fc.assert(fc.property(anyInput, (input) => tierRank(effectiveTier(input)) >= tierRank(input.baseTier)))
})

t.test('more importance, use or age never lowers the tier', async () => {
  fc.assert(
    fc.property(anyInput, fc.double({ min: 0, max: 3, noNaN: true }), fc.nat(50), fc.nat(50), (input, importance, uses, age) => {
      const more = {
        ...input,
        importance: input.importance + importance,
        accessCount: input.accessCount + uses,
        ageTurns: input.ageTurns + age
      }
      return consolidationStrength(more) >= consolidationStrength(input) && tierRank(effectiveTier(more)) >= tierRank(effectiveTier(input))
    })
  )
})
