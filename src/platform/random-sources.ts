/** Sources of chance: the engine's generator for jitter and sampling, the operating system's for what nobody may guess. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Ids, Randomness, Secrets } from '../ports.js'

/** 256 bits, as much as SHA-256 preserves. */
const SECRET_BYTES = 32

/** Not for secrets. */
export function createSystemRandomness(): Randomness {
  return { next: Math.random }
}

/** Version 4 UUIDs. */
export function createSystemIds(): Ids {
  return { uuid: randomUUID }
}

export function createSystemSecrets(): Secrets {
  return { secret: () => randomBytes(SECRET_BYTES).toString('base64url') }
}
