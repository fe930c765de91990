import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import t from 'tap'
import { createLicenseVerifier } from '../../src/auth/license.js'
import { programArgs } from '../support/program.js'

function license(...args: string[]) {
  return spawnSync(process.execPath, [...programArgs('src/cli/license.ts'), ...args], { encoding: 'utf8' })
}

t.test('license command, keygen then sign: the token is verified with the public key', async (t) => {
  const directory = `${t.testdir()}/keys`
  t.equal(license('keygen', '--out', directory).status, 0)
  t.equal(statSync(`${directory}/license-private.pem`).mode & 0o777, 0o600)
  const { stdout, status } = license('sign', '--key', `${directory}/license-private.pem`, '--sub', 'alice', '--days', '2')
  t.equal(status, 0)
  const publicKey = readFileSync(`${directory}/license-public.pem`, 'utf8')
  const now = new Date().getTime() / 1000
  t.strictSame(await createLicenseVerifier({ publicKey, clock: { now: () => now } })(stdout.trim()), { outcome: 'valid', subject: 'alice' })
  t.match(await createLicenseVerifier({ publicKey, clock: { now: () => now + 2 * 86_400 + 60 } })(stdout.trim()), { outcome: 'expired' })
  t.equal(license('keygen', '--out', directory).status, 1, 'keys are never overwritten')
})

t.test('license command, wrong use: says what is missing and fails', async (t) => {
  t.match(license('--help'), { status: 0, stdout: /keygen --out DIR/ })
  t.match(license(), { status: 1, stderr: /Usage/ })
  t.match(license('sign', '--sub', 'a'), { status: 1, stderr: /--key is missing/ })
  t.match(license('sign', '--days', '1', '--exp', '2'), { status: 1, stderr: /not both/ })
  t.match(license('sign', '--days', 'soon'), { status: 1, stderr: /--days must be a positive number/ })
  t.match(license('sign', '--nonsense'), { status: 1, stderr: /nonsense/ })
})
