import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createLicenseVerifier } from '../../src/auth/license.js'
import { developmentToken, invitation, openDevelopmentKey } from '../../src/tools/development.js'

const PERMISSION_BITS = 0o777
const clock = { now: () => 1_700_000_000 }

t.test('development key: none yet, made in a folder and a file for the developer alone', async (t) => {
  const file = join(t.testdir(), 'keys', 'key.pem')
  openDevelopmentKey(file)
  t.equal(statSync(join(file, '..')).mode & PERMISSION_BITS, 0o700)
  t.equal(statSync(file).mode & PERMISSION_BITS, 0o600)
})

t.test('development key: opened again, the same pair and narrow permissions', async (t) => {
  const file = join(t.testdir(), 'keys', 'key.pem')
  const first = openDevelopmentKey(file)
  chmodSync(file, 0o644)
  t.same(openDevelopmentKey(file), first)
  t.equal(statSync(file).mode & PERMISSION_BITS, 0o600)
})

t.test('development key: a file that holds something else, refused without quoting it', async (t) => {
  const folder = t.testdir({ 'key.pem': 'my shopping list' })
  const file = join(folder, 'key.pem')
  t.throws(() => openDevelopmentKey(file), /holds no Ed25519 private key: delete it/)
  t.equal(readFileSync(file, 'utf8'), 'my shopping list', 'left as it was')
})

t.test('development token: signed with that key, accepted for its subject', async (t) => {
  const { privateKey, publicKey } = openDevelopmentKey(join(t.testdir(), 'key.pem'))
  const token = await developmentToken({ privateKey, subject: 'developer', clock })
  const verify = createLicenseVerifier({ publicKey, clock: { ...clock, after: () => () => undefined } })
  t.match(await verify(token), { outcome: 'valid', subject: 'developer' })
})

t.test('invitation: url and token, a line that a shell takes', async (t) => {
  const text = invitation({ url: 'http://127.0.0.1:8000', token: 'a.b-c_d.e' })
  t.match(text, "curl -s http://127.0.0.1:8000/v1/run -H 'Authorization: Bearer a.b-c_d.e'")
})

t.test('development key: its folder, ignored by git', async (t) => {
  const ignored = readFileSync(new URL('../../.gitignore', import.meta.url), 'utf8').split('\n')
  t.ok(ignored.includes('.engram/'))
  const development = readFileSync(new URL('../../src/cli/commands/dev.ts', import.meta.url), 'utf8')
  t.match(development, "'.engram/development-key.pem'")
})
