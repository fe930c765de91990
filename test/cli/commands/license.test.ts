import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import t from 'tap'
import { createLicenseVerifier } from '../../../src/auth/license.js'
import { builtProgram } from '../../support/built.js'

const program = await builtProgram('src/cli/engram')

function license(...args: string[]) {
  return spawnSync(process.execPath, [program, 'license', ...args], { encoding: 'utf8' })
}

t.test('license command, keygen then sign: the token is verified with the public key', async (t) => {
  const directory = `${t.testdir()}/keys`
  t.equal(license('keygen', '--out', directory).status, 0)
  t.equal(statSync(`${directory}/license-private.pem`).mode & 0o777, 0o600)
  t.equal(statSync(`${directory}/license-public.pem`).mode & 0o777, 0o644, 'a service of another user reads it')
  const { stdout, status } = license('sign', '--key', `${directory}/license-private.pem`, '--sub', 'alice', '--days', '2')
  t.equal(status, 0)
  const publicKey = readFileSync(`${directory}/license-public.pem`, 'utf8')
  const now = new Date().getTime() / 1000
  const verdictAt = (seconds: number) =>
    createLicenseVerifier({ publicKey, clock: { now: () => seconds, after: () => () => undefined } })(stdout.trim())
  t.strictSame(await verdictAt(now), { outcome: 'valid', subject: 'alice' })
  t.match(await verdictAt(now + 2 * 86_400 + 60), { outcome: 'expired' })
  t.match(
    license('keygen', '--out', directory),
    { status: 1, stderr: /license-private\.pem is there already\.\n$/ },
    'keys are never overwritten'
  )
})

t.test('license command, a folder where none can be made: says so at once', { skip: process.platform !== 'linux' }, (t) => {
  t.match(license('keygen', '--out', '/proc/engram/keys'), { status: 1, stderr: /^No folder can be made at \/proc\/engram\/keys\.\n$/ })
  t.end()
})

t.test('license command as JSON: the paths, then the token and its end', async (t) => {
  const directory = t.testdir()
  t.same(JSON.parse(license('keygen', '--out', directory, '--json').stdout), {
    private_key: `${directory}/license-private.pem`,
    public_key: `${directory}/license-public.pem`
  })
  const signed = license('sign', '--key', `${directory}/license-private.pem`, '--sub', 'a', '--exp', '4000000000', '--json')
  t.match(JSON.parse(signed.stdout), { token: /^[\w-]+\.[\w-]+\.[\w-]+$/, sub: 'a', expires_at: 4_000_000_000 })
})

t.test('license command, wrong use: says what is missing and exits with 2', async (t) => {
  t.match(license('keygen', '--help'), { status: 0, stdout: /--out <folder>/ })
  t.match(license(), { status: 2, stderr: /Usage/ })
  t.match(license('sign', '--sub', 'a'), { status: 2, stderr: /--key <file>/ })
  t.match(license('sign', '--key', 'k', '--sub', 'a', '--days', '1', '--exp', '2'), { status: 2, stderr: /not both/ })
  t.match(license('sign', '--key', 'k', '--sub', 'a', '--days', 'soon'), { status: 2, stderr: /--days must be a number above 0, and/ })
  for (const exp of ['1e30', '253402300800', '0', '-1', ''])
    t.match(license('sign', '--key', 'k', '--sub', 'a', '--exp', exp), { status: 2, stderr: /--exp must be .* at most 253402300799/ })
  t.match(license('sign', '--key', 'k', '--sub', 'a', '--days', '1e9'), { status: 2, stderr: /--days must be .* at most 29\d{5}/ })
  for (const sub of ['', 'anonymous', 'a'.repeat(257)])
    t.match(license('sign', '--key', 'k', '--sub', sub), { status: 2, stderr: /^--sub must have 1 to 256 characters/ })
  t.match(license('sign', '--key', 'k', '--sub', 'a', '--nonsense'), { status: 2, stderr: /nonsense/ })
})
