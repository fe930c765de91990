import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import t from 'tap'
import { generateKeyPair, signLicense } from '../../src/auth/license-signing.js'
import { createLicenseVerifier } from '../../src/auth/license.js'
import { ANONYMOUS_SUBJECT } from '../../src/domain/address.js'

const NOW = 1_800_000_000
const keys = generateKeyPair()
const strangers = generateKeyPair()
const after = () => () => undefined
const clock = { now: () => NOW, after }
const verify = createLicenseVerifier({ publicKey: keys.publicKey, clock })

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** A token with any header and claims, signed by default with the private key of `keys`. */
function forge(header: object, claims: unknown, privateKey = keys.privateKey): string {
  const input = `${part(header)}.${part(claims)}`
  return `${input}.${sign(null, Buffer.from(input), createPrivateKey(privateKey)).toString('base64url')}`
}

const EDDSA = { alg: 'EdDSA' }

t.test('a license signed by the issuer gives its subject', async (t) => {
  const token = await signLicense({ privateKey: keys.privateKey, subject: 'alice', expiresAt: NOW + 60, clock })
  t.strictSame(await verify(token), { outcome: 'valid', subject: 'alice' })
  t.strictSame(await verify(token), { outcome: 'valid', subject: 'alice' }, 'and again out of the cache')
})

t.test('a license is a JWT with the name of its algorithm that every verifier knows', async (t) => {
  const [header = ''] = (await signLicense({ privateKey: keys.privateKey, subject: 'alice', clock })).split('.')
  t.strictSame(JSON.parse(Buffer.from(header, 'base64url').toString()), { alg: 'EdDSA', typ: 'JWT' })
})

t.test('license, without exp: is accepted and does not expire', async (t) => {
  t.strictSame(await verify(forge(EDDSA, { sub: 'bob' })), { outcome: 'valid', subject: 'bob' })
})

t.test('a license under either registered name of the algorithm is accepted', async (t) => {
  t.strictSame(await verify(forge({ alg: 'Ed25519' }, { sub: 'bob' })), { outcome: 'valid', subject: 'bob' })
})

t.test('an expired license is told from a bad one only when its signature holds', async (t) => {
  t.strictSame(await verify(forge(EDDSA, { sub: 'a', exp: NOW - 1 })), { outcome: 'expired' })
  t.strictSame(await verify(forge(EDDSA, { sub: 'a', exp: NOW })), { outcome: 'expired' }, 'exp itself is too late')
  t.match(await verify(forge(EDDSA, { sub: 'a', exp: NOW - 1 }, strangers.privateKey)), { outcome: 'invalid' })
})

const SPKI = createPublicKey(keys.publicKey).export({ format: 'der', type: 'spki' })
const BAD: Record<string, string> = {
  'no token at all': '',
  'not a token': 'hello',
  'three empty parts': '..',
  'signed by another key': forge(EDDSA, { sub: 'a' }, strangers.privateKey),
  'without a signature': `${part({ alg: 'none' })}.${part({ sub: 'a' })}.`,
  'alg none in capitals': `${part({ alg: 'NONE' })}.${part({ sub: 'a' })}.`,
  'HMAC with the public key as its secret': hmac(keys.publicKey),
  'HMAC with the public key in DER as its secret': hmac(SPKI),
  'an RSA name over an Ed25519 signature': forge({ alg: 'RS256' }, { sub: 'a' }),
  'a critical header nobody knows': forge({ alg: 'EdDSA', crit: ['x'], x: 1 }, { sub: 'a' }),
  'its own key in the header': forge(
    { alg: 'EdDSA', jwk: createPublicKey(strangers.publicKey).export({ format: 'jwk' }) },
    { sub: 'a' },
    strangers.privateKey
  ),
  'not valid yet': forge(EDDSA, { sub: 'a', nbf: NOW + 60 }),
  'exp that is not a number': forge(EDDSA, { sub: 'a', exp: 'never' }),
  'nbf that is not a number': forge(EDDSA, { sub: 'a', nbf: null }),
  'no sub': forge(EDDSA, {}),
  'an empty sub': forge(EDDSA, { sub: '' }),
  'a sub that is a number': forge(EDDSA, { sub: 5 }),
  'a sub that is an array': forge(EDDSA, { sub: ['a'] }),
  'a sub of 257 characters': forge(EDDSA, { sub: 'a'.repeat(257) }),
  'a sub with NUL': forge(EDDSA, { sub: 'a\0b' }),
  'the reserved anonymous sub': forge(EDDSA, { sub: ANONYMOUS_SUBJECT }),
  'claims that are an array': forge(EDDSA, ['sub']),
  'claims that are null': forge(EDDSA, null),
  'longer than any license': forge(EDDSA, { sub: 'a', padding: 'x'.repeat(9000) })
}

for (const [name, token] of Object.entries(BAD)) {
  t.test(`license, ${name}: invalid, with a reason that quotes nothing of it`, async (t) => {
    const verdict = await verify(token)
    t.match(verdict, { outcome: 'invalid', reason: /^(the|a) / })
    t.notMatch(JSON.stringify(verdict), /undefined|eyJ/)
  })
}

t.test('an invalid license: the reason names the rule that it breaks', async (t) => {
  const reasonOf = async (name: string) => ((await verify(BAD[name] ?? '')) as { reason?: string }).reason
  t.equal(await reasonOf('signed by another key'), 'the signature does not match')
  t.equal(await reasonOf('HMAC with the public key as its secret'), 'the algorithm is not Ed25519')
  t.equal(await reasonOf('not valid yet'), 'the token is not valid yet')
  t.equal(await reasonOf('exp that is not a number'), 'a claim is malformed')
  t.equal(await reasonOf('nbf that is not a number'), 'a claim is malformed')
  t.equal(await reasonOf('not a token'), 'the token is malformed')
})

t.test('a license as long as one may be, for a subject as long as one may be, is accepted', async (t) => {
  const subject = 'a'.repeat(256)
  const claims = (padding: number) => ({ sub: subject, padding: 'x'.repeat(padding) })
  const rest = forge(EDDSA, {}).length - part({}).length
  const padding = Array.from({ length: 8192 }, (_, count) => count).find((count) => rest + part(claims(count)).length === 8192) ?? 0
  t.strictSame(await verify(forge(EDDSA, claims(padding))), { outcome: 'valid', subject })
  t.strictSame(await verify(forge(EDDSA, claims(padding + 1))), {
    outcome: 'invalid',
    reason: 'the token is too long'
  })
  t.match(await verify(forge(EDDSA, { sub: '\u{1f600}'.repeat(256) })), { outcome: 'valid' }, 'characters, not UTF-16 units')
  t.match(await verify(forge(EDDSA, { sub: '\u{1f600}'.repeat(257) })), { outcome: 'invalid' })
})

function hmac(secret: string | Buffer): string {
  const input = `${part({ alg: 'HS256' })}.${part({ sub: 'a' })}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

t.test('a license with one changed byte is invalid wherever the byte is', async (t) => {
  const token = forge(EDDSA, { sub: 'a' })
  for (let i = 0; i < token.length; i++) {
    const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1)
    t.match(await verify(changed), { outcome: 'invalid' })
  }
})

t.test('a cached license ends with its own exp', async (t) => {
  let now = NOW
  const verify = createLicenseVerifier({ publicKey: keys.publicKey, clock: { now: () => now, after } })
  const token = forge(EDDSA, { sub: 'a', exp: NOW + 10 })
  t.match(await verify(token), { outcome: 'valid' })
  now = NOW + 9.9
  t.match(await verify(token), { outcome: 'valid' })
  now = NOW + 10
  t.match(await verify(token), { outcome: 'expired' })
  t.match(await verify(token), { outcome: 'expired' })
})

t.test('a license that ends between two seconds ends then, cached or not', async (t) => {
  let now = NOW
  const verify = createLicenseVerifier({ publicKey: keys.publicKey, clock: { now: () => now, after } })
  const token = forge(EDDSA, { sub: 'a', exp: NOW + 0.3 })
  now = NOW + 0.2
  t.match(await verify(token), { outcome: 'valid' })
  now = NOW + 0.4
  for (const asked of ['out of the cache', 'anew', 'once more']) t.strictSame(await verify(token), { outcome: 'expired' }, asked)
})

t.test('a license written in another way than its issuer wrote it is malformed: one token is one', async (t) => {
  const token = forge(EDDSA, { sub: 'a' })
  const from = token.lastIndexOf('.') + 1
  const spareBits = token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1)
  for (const changed of [`${token}==`, `${token} `, `${token.slice(0, from + 5)} ${token.slice(from + 5)}`, `${token}\t`, spareBits]) {
    t.strictSame(await verify(changed), { outcome: 'invalid', reason: 'the token is malformed' }, changed.slice(from))
  }
})

t.test('public key: PEM, PEM on one line, JWK and a path to either are read', async (t) => {
  const jwk = JSON.stringify(createPublicKey(keys.publicKey).export({ format: 'jwk' }))
  const directory = t.testdir()
  writeFileSync(`${directory}/key.pem`, keys.publicKey)
  writeFileSync(`${directory}/key.jwk`, jwk)
  const named = JSON.stringify({ ...createPublicKey(keys.publicKey).export({ format: 'jwk' }), kid: 'two\nlines' })
  const token = forge(EDDSA, { sub: 'a' })
  const onOneLine = keys.publicKey.replaceAll('\n', '\\n')
  for (const publicKey of [keys.publicKey, onOneLine, jwk, `\n${jwk}`, named, `${directory}/key.pem`, `${directory}/key.jwk`]) {
    t.match(await createLicenseVerifier({ publicKey, clock })(token), { outcome: 'valid' })
  }
})

t.test('public key that is none: refused under the name of its variable, without the value', async (t) => {
  for (const publicKey of [
    'nonsense-of-mine',
    '-----BEGIN PUBLIC KEY-----\nnonsense-of-mine\n-----END PUBLIC KEY-----',
    '{"kty":"nonsense-of-mine"}',
    '/'
  ]) {
    t.throws(
      () => createLicenseVerifier({ publicKey, clock: { now: () => 0, after } }),
      { message: /^The license public key (?!.*nonsense-of-mine)/ },
      publicKey
    )
  }
  t.throws(() => createLicenseVerifier({ publicKey: '/', clock }), { cause: { code: 'EISDIR' } })
})

t.test('public key of any other kind: the verifier is not made', async (t) => {
  const others = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey,
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
    generateKeyPairSync('ed448').publicKey,
    generateKeyPairSync('x25519').publicKey
  ].map((key) => key.export({ format: 'pem', type: 'spki' }).toString())
  for (const publicKey of others) t.throws(() => createLicenseVerifier({ publicKey, clock }), /not an Ed25519 key/)
  t.throws(() => createLicenseVerifier({ publicKey: keys.privateKey, clock }), /private key/)
  const secret = JSON.stringify(createPrivateKey(keys.privateKey).export({ format: 'jwk' }))
  for (const publicKey of [secret, secret.replace('"d":', '"d" :')]) {
    t.throws(() => createLicenseVerifier({ publicKey, clock }), /holds a private key/)
  }
  t.throws(() => createLicenseVerifier({ publicKey: '/nowhere', clock }), /neither PEM, nor JWK, nor a readable file/)
  t.throws(() => createLicenseVerifier({ publicKey: '-----BEGIN PUBLIC KEY-----\nAAAA', clock }), /neither PEM nor JWK/)
  t.throws(() => createLicenseVerifier({ publicKey: '{"kty":"OKP"}', clock }), /neither PEM nor JWK/)
})

t.test('signing for a subject that would be refused: throws', async (t) => {
  for (const subject of ['', 'a\0', ANONYMOUS_SUBJECT, 'a'.repeat(257)]) {
    t.throws(() => signLicense({ privateKey: keys.privateKey, subject, clock }), /subject/)
  }
})

t.test('signing with a key of any other kind, or none: throws', async (t) => {
  const pem = generateKeyPairSync('ed448').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  t.throws(() => signLicense({ privateKey: pem, subject: 'a', clock }), /private key is not an Ed25519 key/)
  t.throws(() => signLicense({ privateKey: 'nonsense', subject: 'a', clock }), /private key is neither PEM nor JWK/)
})

t.test('of many licenses at once four are checked at a time in their order, and none that nobody waits for any more', async (t) => {
  let asked = 0
  const verify = createLicenseVerifier({ publicKey: keys.publicKey, clock })
  const tokens = Array.from({ length: 12 }, (_, at) => forge(EDDSA, { sub: `s${String(at)}` }))
  let isWanted = true
  const verdicts = tokens.map((token) =>
    verify(token, {
      address: 'here',
      isWanted: () => {
        asked += 1
        return isWanted
      }
    })
  )
  await Promise.race(verdicts)
  isWanted = false
  t.ok(asked >= 4 && asked < tokens.length, String(asked))
  const outcomes = (await Promise.all(verdicts)).map(({ outcome }) => outcome)
  t.strictSame(
    outcomes,
    tokens.map((_, at) => (at < outcomes.lastIndexOf('valid') + 1 ? 'valid' : 'invalid'))
  )
  t.match(await verify(tokens.at(-1) ?? ''), { outcome: 'valid' }, 'that one was not looked at is not remembered')
})

t.test('a license whose check does not get its turn in time is told so, and is valid later', async (t) => {
  const timers = new Map<() => void, number>()
  const timed = {
    now: () => NOW,
    after: (delayMs: number, listener: () => void) => {
      timers.set(listener, delayMs)
      return () => timers.delete(listener)
    }
  }
  const verify = createLicenseVerifier({ publicKey: keys.publicKey, clock: timed })
  const tokens = Array.from({ length: 5 }, (_, at) => forge(EDDSA, { sub: `s${String(at)}` }))
  const verdicts = Promise.allSettled(tokens.map((token) => verify(token)))
  await Promise.resolve()
  t.same([...timers.values()], [5_000], 'one of five waits, in milliseconds')
  for (const listener of timers.keys()) listener()
  const outcomes = await verdicts
  t.match(outcomes.at(-1), { status: 'rejected', reason: { code: 'busy', message: 'Too many licenses wait to be checked' } })
  t.strictSame(
    outcomes.slice(0, 4).map(({ status }) => status),
    Array.from({ length: 4 }, () => 'fulfilled'),
    'those at work are answered'
  )
  t.match(await verify(tokens.at(-1) ?? ''), { outcome: 'valid' })
})

t.test('a flood of bad licenses holds up neither those that were valid before nor those from elsewhere', async (t) => {
  const verify = createLicenseVerifier({ publicKey: keys.publicKey, clock })
  const [before, elsewhere, beside] = ['before', 'elsewhere', 'beside'].map((sub) => forge(EDDSA, { sub })) as [string, string, string]
  await verify(before)
  for (let n = 0; n < 256; n++) await verify(forge(EDDSA, { sub: `s${String(n)}` }))
  const answered: string[] = []
  const ask = async (name: string, token: string, address: string): Promise<void> => {
    await verify(token, { isWanted: () => true, address })
    answered.push(name)
  }
  const flood = Array.from({ length: 100 }, (_, n) => ask('bad', `${part(EDDSA)}.${part({ sub: `bad-${String(n)}` })}.AAAA`, 'flood'))
  const good = [ask('beside', beside, 'flood'), ask('elsewhere', elsewhere, 'home'), ask('before', before, 'flood')]
  await Promise.all([...flood, ...good])
  const place = (name: string): number => answered.indexOf(name)
  t.ok(place('before') < 12, `one that left the cache: ${String(place('before'))} came first`)
  t.ok(place('elsewhere') < 16, `a new one from elsewhere: ${String(place('elsewhere'))} came first`)
  t.ok(place('beside') > 80, 'within one address in their order')
})
