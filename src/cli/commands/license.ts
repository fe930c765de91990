/** `engram license`: creates the issuer's key pair, and signs licences with it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateKeyPair, signLicense } from '../../auth/license-signing.js'
import { isLicenseSubject } from '../../auth/license.js'
import { SECONDS_PER_DAY } from '../../domain/calendar.js'
import { createSystemClock } from '../../platform/clock.js'
import { usageFailure } from '../console/failure.js'
import { makeNamedFolder, withName } from '../console/named-file.js'
import { createOutput } from '../console/output.js'

/** Accessible to the owner alone. */
const PRIVATE_FILE_MODE = 0o600

/** Readable by all: a service often runs as another user, and the public key is no secret. */
const PUBLIC_FILE_MODE = 0o644

export interface SignOptions {
  readonly key: string
  readonly sub: string
  readonly days?: string
  readonly exp?: string
  readonly json?: true
}

/** Prints a token for the subject. Throws CommandFailure for invalid numbers and for a subject that the service would refuse. */
export async function signWithKey({ key, sub, days, exp, json }: SignOptions): Promise<void> {
  if (!isLicenseSubject(sub)) throw usageFailure('--sub must have 1 to 256 characters and must not be the reserved "anonymous"')
  const clock = createSystemClock()
  const expiresAt = toExpiry(days, exp, clock.now())
  const token = await signLicense({
    privateKey: withName(key, () => readFileSync(key, 'utf8')),
    subject: sub,
    ...(expiresAt !== undefined && { expiresAt }),
    clock
  })
  const output = createOutput()
  if (json === true) output.json({ token, sub, expires_at: expiresAt ?? null })
  else output.line(token)
}

/** Prints the paths of the two files. Throws if one of them exists already. */
export async function makeKeyPair({ out, json }: { readonly out: string; readonly json?: true }): Promise<void> {
  const [privateKey = '', publicKey = ''] = writeKeyPair(out)
  const output = createOutput()
  if (json === true) output.json({ private_key: privateKey, public_key: publicKey })
  else output.line(`${privateKey}\n${publicKey}`)
}

function writeKeyPair(directory: string): string[] {
  const { privateKey, publicKey } = generateKeyPair()
  const files = [
    { path: join(directory, 'license-private.pem'), text: privateKey, mode: PRIVATE_FILE_MODE },
    { path: join(directory, 'license-public.pem'), text: publicKey, mode: PUBLIC_FILE_MODE }
  ]
  makeNamedFolder(directory)
  return files.map(({ path, text, mode }) => {
    withName(path, () => writeFileSync(path, text, { mode, flag: 'wx' }))
    return path
  })
}

/** Epoch seconds of the end of the year 9999, the last that dates are written with four digits. */
const EXPIRY_MAX = 253_402_300_799

function toExpiry(days: string | undefined, exp: string | undefined, now: number): number | undefined {
  if (days !== undefined && exp !== undefined) throw usageFailure('Give either --days or --exp, not both')
  if (days !== undefined) return now + within('--days', days, Math.floor((EXPIRY_MAX - now) / SECONDS_PER_DAY)) * SECONDS_PER_DAY
  return exp === undefined ? undefined : within('--exp', exp, EXPIRY_MAX)
}

function within(option: string, text: string, maximum: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= maximum))
    throw usageFailure(`${option} must be a number above 0, and at most ${maximum}`)
  return value
}
