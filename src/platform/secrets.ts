/** Secrets that cannot be guessed. */
import { randomBytes } from 'node:crypto'
import type { Secrets } from '../ports.js'

/** 256 bits, as much as SHA-256 preserves. */
const SECRET_BYTES = 32

/** Secrets from the operating system's random source. */
export function createSystemSecrets(): Secrets {
  return { secret: () => randomBytes(SECRET_BYTES).toString('base64url') }
}
