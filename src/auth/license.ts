/** Verifies a licence token: returns its subject, or the reason for refusing it. */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { ANONYMOUS_SUBJECT } from '../domain/address.js'
import { createSharedEntries } from '../domain/fairness/shared-entries.js'
import { isLongerThan } from '../domain/text/characters.js'
import type { Clock, LicenseCaller, LicenseVerdict, VerifyLicense } from '../ports.js'
import { type Claims, readPublicKeys, verifyJwt } from './jwt.js'
import { createFairGate } from './fair-gate.js'

/** In characters. A subject is part of storage keys and topics; names, mail addresses and UUIDs are far shorter. */
const SUBJECT_LENGTH_MAX = 256

/** In characters. An Ed25519 token with a short subject has about 200; a longer one is refused before it is hashed. */
const TOKEN_LENGTH_MAX = 8192

/** Interface, Authentication: verification results are cached, 256 entries. */
const CACHE_ENTRIES_MAX = 256

/** Concurrent signature checks: Node.js has four threads for them. */
const CHECKS_MAX = 4

/** Milliseconds that a check may wait for its turn. Thousands of others finish in that time, so a longer wait means a flood of tokens. */
const CHECK_WAIT_MS_MAX = 5_000

/** Maximum bytes of a file with public keys: those of some hundred keys. */
const KEYS_BYTES_MAX = 64 * 1024

/** Tokens that were valid when last checked, beyond those in the cache: their checks have precedence. About 400 bytes each. */
const KNOWN_TOKENS_MAX = 10_000

/** Default caller, for a token that comes without a request. */
const NOBODY: LicenseCaller = { isWanted: () => true, address: '' }

interface CachedLicense {
  readonly subject: string
  /** Epoch seconds; Infinity for a licence without end. */
  readonly expiresAt: number
}

/**
 * Creates a verifier for tokens signed with one of the keys in `publicKey` (PEM or JWK text, one or several, or a path to a file with
 * them). Throws an Error with a sentence when it holds anything but Ed25519 public keys.
 *
 * Valid results are cached under the token's SHA-256, with LRU eviction, and never past the token's own expiry. Refusals are not cached: a
 * flood of bad tokens would evict good ones, and a signature check costs only about 0.15 ms. A subject with more than an equal share of the
 * cache evicts its own tokens. A token without `exp` is accepted and never expires.
 *
 * Cached tokens do not queue. Of the others, those that were valid when last checked have three turns of four, by subject, and the rest
 * have one, by remote address. Expiry ends that precedence.
 */
export function createLicenseVerifier({
  publicKey,
  clock
}: {
  readonly publicKey: string
  readonly clock: Pick<Clock, 'now' | 'after'>
}): VerifyLicense {
  const keys = readKeys(publicKey)
  const cache = createSharedEntries<CachedLicense>(CACHE_ENTRIES_MAX)
  /** Subjects, by the digests of their tokens. */
  const known = createSharedEntries<string>(KNOWN_TOKENS_MAX)
  const takeTurn = createFairGate({ clock, placesMax: CHECKS_MAX, waitMsMax: CHECK_WAIT_MS_MAX })

  async function check(token: string, digest: string, { isWanted, address }: LicenseCaller): Promise<LicenseVerdict> {
    const subject = known.get(digest)
    const leave = await takeTurn({ from: subject ?? address, isKnown: subject !== undefined })
    try {
      if (!isWanted()) return { outcome: 'invalid', reason: 'the caller has gone' }
      const result = await verifyJwt(token, keys, clock.now())
      if (result.outcome === 'expired') return expired(digest)
      if (result.outcome === 'invalid') return result
      const license = toLicense(result.claims)
      if (license === null) return { outcome: 'invalid', reason: 'the subject is missing, too long or reserved' }
      cache.keep(license.subject, digest, license)
      known.keep(license.subject, digest, license.subject)
      return { outcome: 'valid', subject: license.subject }
    } finally {
      leave()
    }
  }

  function expired(digest: string): LicenseVerdict {
    cache.delete(digest)
    known.delete(digest)
    return { outcome: 'expired' }
  }

  return async function verifyLicense(token, caller = NOBODY) {
    if (token.length > TOKEN_LENGTH_MAX) return { outcome: 'invalid', reason: 'the token is too long' }
    const digest = createHash('sha256').update(token).digest('base64')
    const cached = cache.get(digest)
    if (cached !== undefined) {
      return cached.expiresAt > clock.now() ? { outcome: 'valid', subject: cached.subject } : expired(digest)
    }
    return check(token, digest, caller)
  }
}

/** Whether `sub` may own resources: 1 to 256 characters, storable everywhere (no NUL, no half surrogate pair), not reserved. */
export function isLicenseSubject(sub: unknown): sub is string {
  return (
    typeof sub === 'string' &&
    sub.length > 0 &&
    !isLongerThan(sub, SUBJECT_LENGTH_MAX) &&
    sub !== ANONYMOUS_SUBJECT &&
    !/\0|\p{Surrogate}/u.test(sub)
  )
}

function toLicense({ sub, exp }: Claims): CachedLicense | null {
  return isLicenseSubject(sub) ? { subject: sub, expiresAt: exp ?? Number.POSITIVE_INFINITY } : null
}

/** An error of the file system is replaced, because its message quotes the value. */
function readKeys(publicKey: string): ReturnType<typeof readPublicKeys> {
  try {
    return readPublicKeys(toKeyText(publicKey))
  } catch (error) {
    const isOwn = error instanceof Error && !('code' in error)
    throw isOwn ? error : new Error('The license public key cannot be read', { cause: error })
  }
}

function toKeyText(publicKey: string): string {
  const isKeyItself = publicKey.includes('-----BEGIN') || publicKey.trimStart().startsWith('{')
  if (isKeyItself) return unescapeNewlines(publicKey)
  if (!existsSync(publicKey)) throw new Error('The license public key is neither PEM, nor JWK, nor a readable file')
  return readKeyFile(publicKey)
}

/** Reads a file, pipe or device, of which there may be no end. */
function readKeyFile(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(KEYS_BYTES_MAX + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null)
    if (length > KEYS_BYTES_MAX) throw new Error(`The license public key is a file of more than ${KEYS_BYTES_MAX} bytes`)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}

/** Environment files often carry a PEM on one line, its newlines written as `\n`. */
function unescapeNewlines(text: string): string {
  return text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : text
}
