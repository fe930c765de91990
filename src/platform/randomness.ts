/** Randomness for jitter and sampling. Not for secrets. */
import type { Randomness } from '../ports.js'

/** Uses the engine's generator. */
export function createSystemRandomness(): Randomness {
  return { next: Math.random }
}
