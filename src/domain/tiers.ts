/** The tier of a memory: derived from the tier it was given and its use, never stored. */
import { type Tier, TIERS } from './session.js'

/** Strength from which a memory is in the tier. A plain turn begins at 0.3 to 0.9, a triggered one at 1 to 2. */
const MEDIUM_TERM_STRENGTH = 1.5
const LONG_TERM_STRENGTH = 2.5

/** Strength gained per doubling of use. */
const USE_STRENGTH = 0.4

/** Strength gained per doubling of age, counted in AGE_UNIT_TURNS. */
const AGE_STRENGTH = 0.2
const AGE_UNIT_TURNS = 8

export interface TierInput {
  readonly baseTier: Tier
  /** At least 0. */
  readonly importance: number
  /** Number of times it appeared in a context block. */
  readonly accessCount: number
  /** User turns since it came in, at least 0. */
  readonly ageTurns: number
}

/**
 * Importance + USE_STRENGTH · log2(1 + uses) + AGE_STRENGTH · log2(1 + age / AGE_UNIT_TURNS). Logarithms, after the power law of practice
 * and forgetting: the tenth use adds less than the second.
 */
export function consolidationStrength(input: Omit<TierInput, 'baseTier'>): number {
  const use = USE_STRENGTH * Math.log2(1 + Math.max(0, input.accessCount))
  return input.importance + use + AGE_STRENGTH * Math.log2(1 + Math.max(0, input.ageTurns) / AGE_UNIT_TURNS)
}

/**
 * The effective tier: rises with importance, use and age, never below the base tier. Memories are consolidated between user turns, so until
 * the next user turn a memory stays in the tier it was given.
 */
export function effectiveTier(input: TierInput): Tier {
  if (input.ageTurns === 0) return input.baseTier
  const strength = consolidationStrength(input)
  const reached = strength >= LONG_TERM_STRENGTH ? 2 : strength >= MEDIUM_TERM_STRENGTH ? 1 : 0
  return TIERS[Math.max(reached, TIERS.indexOf(input.baseTier))] ?? input.baseTier
}
