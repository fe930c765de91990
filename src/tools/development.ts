/** Helpers for calling a service on a developer's machine: a local key, a token, a line to paste. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { generateKeyPair, type KeyPair, signLicense } from '../auth/license-signing.js'
import { SECONDS_PER_DAY } from '../domain/calendar.js'
import { codeIn } from '../domain/errors.js'
import { makeFolder } from '../platform/folders.js'
import type { Clock } from '../ports.js'

/** Accessible to the developer alone. */
const KEY_FILE_MODE = 0o600
const KEY_FOLDER_MODE = 0o700

/** A month: long enough for a notebook, short enough to be forgotten safely. */
const TOKEN_DAYS = 30

/**
 * Returns the key pair kept in `file`, created on the first call, so that tokens stay valid across restarts. Throws an Error with a
 * sentence when the file contains anything else.
 */
export function openDevelopmentKey(file: string): KeyPair {
  makeFolder(dirname(file), KEY_FOLDER_MODE)
  try {
    // Exclusive: of two processes that start at once, the second reads what the first wrote.
    writeFileSync(file, generateKeyPair().privateKey, { mode: KEY_FILE_MODE, flag: 'wx' })
  } catch (error) {
    if (codeIn(error) !== 'EEXIST') throw error
    chmodSync(file, KEY_FILE_MODE)
  }
  const privateKey = readFileSync(file, 'utf8')
  return { privateKey, publicKey: toPublicKey(privateKey, file) }
}

/** Signs a licence token for local use, valid for a month. */
export function developmentToken(options: { privateKey: string; subject: string; clock: Pick<Clock, 'now'> }): Promise<string> {
  return signLicense({ ...options, expiresAt: options.clock.now() + TOKEN_DAYS * SECONDS_PER_DAY })
}

/** Text that tells how to reach the service, ready to copy. */
export function invitation({ url, token }: { url: string; token: string }): string {
  return [
    `Service   ${url}`,
    `Docs      ${url}/docs (with the token)`,
    `Token     ${token}`,
    '',
    `curl -s ${url}/v1/run -H 'Authorization: Bearer ${token}' \\`,
    `  -H 'Content-Type: application/json' -d '{"message": "My train to Lisbon leaves at nine."}'`
  ].join('\n')
}

function toPublicKey(privateKey: string, file: string): string {
  try {
    const key = createPrivateKey(privateKey)
    if (key.asymmetricKeyType === 'ed25519') return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    // Reported below, as for a key of another kind; the parser's own message may quote the key.
  }
  throw new Error(`${file} holds no Ed25519 private key: delete it, and the next start makes one.`)
}
