/** Creates key pairs and licence tokens, for the operator's command line and for development. The service itself only verifies. */
import { generateKeyPairSync } from 'node:crypto'
import type { Clock } from '../ports.js'
import { readPrivateKey, signJwt } from './jwt.js'
import { isLicenseSubject } from './license.js'

export interface KeyPair {
  /** PKCS #8 PEM. Its holder can issue licences, so it never reaches the service. */
  readonly privateKey: string
  /** SPKI PEM, the value of `SERVICE_LICENSE_PUBLIC_KEY`. */
  readonly publicKey: string
}

interface LicenseRequest {
  /** PEM or JWK text of an Ed25519 private key. */
  readonly privateKey: string
  /** `sub` of the token: the owner of everything made with it. */
  readonly subject: string
  /** Epoch seconds; without it the licence never expires. */
  readonly expiresAt?: number
  /** Source of the token's date (`iat`). */
  readonly clock: Pick<Clock, 'now'>
}

/** Creates a new Ed25519 key pair. */
export function generateKeyPair(): KeyPair {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' }
  })
}

/** Signs a licence token. Throws an Error with a sentence when the key is not Ed25519 or the subject would be refused. */
export function signLicense({ privateKey, subject, expiresAt, clock }: LicenseRequest): Promise<string> {
  if (!isLicenseSubject(subject)) {
    throw new Error('The subject must have 1 to 256 characters, none of them NUL, and must not be the reserved "anonymous"')
  }
  const issuedAt = Math.floor(clock.now())
  const claims = { sub: subject, iat: issuedAt, ...(expiresAt !== undefined && { exp: Math.floor(expiresAt) }) }
  return signJwt(claims, readPrivateKey(privateKey))
}
