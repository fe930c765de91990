/** Licences of several issuer's keys: while an old key is replaced by a new one, both are accepted. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { generateKeyPair, signLicense } from '../../src/auth/license-signing.js'
import { createLicenseVerifier } from '../../src/auth/license.js'

const NOW = 1_800_000_000
const clock = { now: () => NOW, after: () => () => undefined }
const keys = generateKeyPair()
const strangers = generateKeyPair()
const sign = (privateKey: string, expiresAt?: number) =>
  signLicense({ privateKey, subject: 'bob', clock, ...(expiresAt !== undefined && { expiresAt }) })

const jwkOf = (pem: string) => createPublicKey(pem).export({ format: 'jwk' })
const SEVERAL: Record<string, string> = {
  'PEM after PEM': `# of last year\n${strangers.publicKey}\n# of this year\n${keys.publicKey}`,
  'PEM after PEM on one line': `${strangers.publicKey}${keys.publicKey}`.replaceAll('\n', '\\n'),
  'a JWK set': JSON.stringify({ keys: [jwkOf(strangers.publicKey), jwkOf(keys.publicKey)] })
}

for (const [name, publicKey] of Object.entries(SEVERAL)) {
  t.test(`licenses of several keys, ${name}: each is accepted, expires, and no other is`, async (t) => {
    const verify = createLicenseVerifier({ publicKey, clock })
    for (const { privateKey } of [keys, strangers]) {
      t.strictSame(await verify(await sign(privateKey)), { outcome: 'valid', subject: 'bob' })
      t.strictSame(await verify(await sign(privateKey, NOW)), { outcome: 'expired' })
    }
    const foreign = await sign(generateKeyPair().privateKey)
    t.strictSame(await verify(foreign), { outcome: 'invalid', reason: 'the signature does not match' })
  })
}

t.test('several keys: refused where one is none, a private one or of another kind, and where they are too many', async (t) => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const open = (publicKey: string) => () => createLicenseVerifier({ publicKey, clock })
  t.throws(open(`${keys.publicKey}${rsa}`), /not an Ed25519 key/)
  t.throws(open(`${keys.publicKey}${keys.privateKey}`), /holds a private key/)
  t.throws(open(JSON.stringify({ keys: [jwkOf(keys.publicKey), 5] })), /neither PEM nor JWK/)
  t.throws(open('{"keys":[]}'), /neither PEM nor JWK/)
  t.throws(open(keys.publicKey.repeat(9)), /more than 8 keys/)
  t.doesNotThrow(open(keys.publicKey.repeat(8)))
})
