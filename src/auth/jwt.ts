/** JSON web tokens signed with Ed25519, and nothing else. The only file that knows `jose`. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'

/** The two registered names of the one algorithm that is accepted (RFC 8037 and RFC 9864). */
const ALGORITHMS = ['EdDSA', 'Ed25519']

/** What a token says, once its signature held. Every field is as the signer wrote it, thus not yet to be trusted to have a type. */
export type Claims = Readonly<JWTPayload>

export type Verification =
  | { readonly outcome: 'valid'; readonly claims: Claims }
  /** The signature held, and `exp` has passed. */
  | { readonly outcome: 'expired' }
  /** `reason` is safe to tell the caller: it names a rule, never a part of the token. */
  | { readonly outcome: 'invalid'; readonly reason: string }

/**
 * Checks the signature first, then `nbf` and `exp` against `now` (epoch seconds). The order matters: only somebody who was
 * given a licence learns that it has expired. Never throws for a bad token.
 */
export async function verifyJwt(token: string, publicKey: KeyObject, now: number): Promise<Verification> {
  try {
    const { payload } = await jwtVerify(token, publicKey, { algorithms: ALGORITHMS, currentDate: new Date(now * 1000) })
    return { outcome: 'valid', claims: payload }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { outcome: 'expired' }
    return { outcome: 'invalid', reason: toReason(error) }
  }
}

/** Signs `claims`; the header says `EdDSA`, the name that older verifiers know too. */
export function signJwt(claims: JWTPayload, privateKey: KeyObject): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' }).sign(privateKey)
}

/** A fresh key pair as PEM texts (PKCS #8 and SPKI). */
export function generateEd25519(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' }
  })
}

/** Reads a public key from PEM (SPKI) or JWK text. Throws an Error with a sentence for anything but Ed25519. */
export function readPublicKey(text: string): KeyObject {
  const key = read(text, 'public')
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The license public key is not an Ed25519 key')
  return key
}

/** Reads a private key from PEM (PKCS #8) or JWK text. Throws an Error with a sentence for anything but Ed25519. */
export function readPrivateKey(text: string): KeyObject {
  const key = read(text, 'private')
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The license private key is not an Ed25519 key')
  return key
}

function read(text: string, side: 'public' | 'private'): KeyObject {
  const create = side === 'public' ? createPublicKey : createPrivateKey
  // Node derives a public key from a private one without a word; a verifier must never be handed the secret half.
  if (side === 'public' && (text.includes('PRIVATE KEY') || /"d"\s*:/.test(text))) {
    throw new Error('The license public key holds a private key: give the service the public half only')
  }
  try {
    return text.trimStart().startsWith('{') ? create({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' }) : create(text)
  } catch {
    // The cause would carry parts of the key material.
    throw new Error(`The license ${side} key is neither PEM nor JWK`)
  }
}

function toReason(error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature does not match'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'the algorithm is not Ed25519'
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === 'nbf' ? 'the token is not valid yet' : 'a claim is malformed'
  return 'the token is malformed'
}
