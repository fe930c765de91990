/** Chance, for jitter and sampling. Not for secrets. */
import type { Randomness } from '../ports.js'

/** The engine's own generator. */
export function createSystemRandomness(): Randomness {
  return { next: Math.random }
}
