/** Secrets that nobody can guess. */
import { randomBytes } from 'node:crypto'
import type { Secrets } from '../ports.js'

/** 256 bits: what SHA-256 keeps of them. */
const SECRET_BYTES = 32

/** Secrets from the operating system's random source. */
export function createSystemSecrets(): Secrets {
  return { secret: () => randomBytes(SECRET_BYTES).toString('base64url') }
}
