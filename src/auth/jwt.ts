/** JSON web tokens signed with Ed25519, and no other algorithm. The only file that knows `jose`. */
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'

/** Maximum number of public keys: the current one, those it replaces, and some of other issuers. A bad token is checked against each. */
const PUBLIC_KEYS_MAX = 8

/** One PEM block, from its first line to its last. */
const PEM_BLOCK = /-----BEGIN [^-]*-----[^-]*-----END [^-]*-----/g

/** The two registered names of the one algorithm that is accepted (RFC 8037 and RFC 9864). */
const ALGORITHMS = ['EdDSA', 'Ed25519']

const MALFORMED = 'the token is malformed'

/** Claims of a token whose signature is valid. The types are unchecked: every field is as the signer wrote it. */
export type Claims = Readonly<JWTPayload>

type Verification =
  | { readonly outcome: 'valid'; readonly claims: Claims }
  /** The signature is valid, and `exp` has passed. */
  | { readonly outcome: 'expired' }
  /** `reason` is safe to tell the caller: it names a rule, never a part of the token. */
  | { readonly outcome: 'invalid'; readonly reason: string }

/**
 * Checks the signature first, with one key after another, then `nbf` and `exp` against `now` (epoch seconds). In this order only somebody
 * who was given a licence learns that it has expired. Never throws for a bad token.
 */
export async function verifyJwt(token: string, publicKeys: readonly KeyObject[], now: number): Promise<Verification> {
  if (!isSignedPlainly(token)) return { outcome: 'invalid', reason: MALFORMED }
  for (const publicKey of publicKeys) {
    try {
      const { payload } = await jwtVerify(token, publicKey, { algorithms: ALGORITHMS, currentDate: new Date(now * 1000) })
      // `jose` compares with whole seconds, which would add a part of one to an `exp` that is none.
      return (payload.exp ?? Infinity) > now ? { outcome: 'valid', claims: payload } : { outcome: 'expired' }
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      if (error instanceof errors.JWTExpired) return { outcome: 'expired' }
      return { outcome: 'invalid', reason: toReason(error) }
    }
  }
  return { outcome: 'invalid', reason: 'the signature does not match' }
}

/**
 * Whether the signature has its only canonical form (RFC 7515, 2). `jose` tolerates white space, padding and spare bits, which would give
 * one token any number of forms, each with its own cache entry. The signature covers everything else of a token as it stands.
 */
function isSignedPlainly(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/** Signs `claims`. The header says `EdDSA`, the name that older verifiers also know. */
export function signJwt(claims: JWTPayload, privateKey: KeyObject): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' }).sign(privateKey)
}

/**
 * Reads public keys: PEM texts (SPKI) one after another, a JWK, or a JWK set. Throws an Error with a sentence for none, for more than
 * eight, and for anything but Ed25519 among them.
 */
export function readPublicKeys(text: string): readonly KeyObject[] {
  const keys = separate(text).map((one) => read(one, 'public'))
  if (keys.length > PUBLIC_KEYS_MAX) throw new Error(`The license public key holds more than ${PUBLIC_KEYS_MAX} keys`)
  if (keys.some((key) => key.asymmetricKeyType !== 'ed25519')) throw new Error('The license public key is not an Ed25519 key')
  return keys
}

/** Reads a private key from PEM (PKCS #8) or JWK text. Throws an Error with a sentence for anything but Ed25519. */
export function readPrivateKey(text: string): KeyObject {
  const key = read(text, 'private')
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The license private key is not an Ed25519 key')
  return key
}

/** Splits a text into the texts of single keys. Returns the text itself when it is one key, or has no known form. */
function separate(text: string): string[] {
  const set = text.trimStart().startsWith('{') ? keysOfSet(text) : text.match(PEM_BLOCK)
  return set === null || set.length === 0 ? [text] : set
}

function keysOfSet(text: string): string[] | null {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown }
    return Array.isArray(keys) ? keys.map((key) => JSON.stringify(key)) : null
  } catch {
    return null
  }
}

function read(text: string, side: 'public' | 'private'): KeyObject {
  const create = side === 'public' ? createPublicKey : createPrivateKey
  // Node derives a public key from a private one silently, but a verifier must never be given the private half.
  if (side === 'public' && (text.includes('PRIVATE KEY') || /"d"\s*:/.test(text))) {
    throw new Error('The license public key holds a private key: give the service the public half only')
  }
  try {
    return text.trimStart().startsWith('{') ? create({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' }) : create(text)
  } catch {
    // No cause is attached: it would carry parts of the key.
    throw new Error(`The license ${side} key is neither PEM nor JWK`)
  }
}

function toReason(error: unknown): string {
  if (error instanceof errors.JOSEAlgNotAllowed) return 'the algorithm is not Ed25519'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'nbf' && error.reason === 'check_failed' ? 'the token is not valid yet' : 'a claim is malformed'
  }
  return MALFORMED
}
