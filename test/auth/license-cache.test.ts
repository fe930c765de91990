// Which licenses are cached, and each subject's share of the cache.
import { createPrivateKey, sign } from 'node:crypto'
import t from 'tap'
import { generateKeyPair } from '../../src/auth/license-signing.js'
import { createLicenseVerifier } from '../../src/auth/license.js'

const NOW = 1_800_000_000
const keys = generateKeyPair()
const after = () => () => undefined
const EDDSA = { alg: 'EdDSA' }

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function forge(claims: object): string {
  const input = `${part(EDDSA)}.${part(claims)}`
  return `${input}.${sign(null, Buffer.from(input), createPrivateKey(keys.privateKey)).toString('base64url')}`
}

/** Creates a verifier, and a check of whether it has cached a token: only a cached token counts as valid before its `nbf`. */
function createWatchedVerifier() {
  let now = NOW
  const verify = createLicenseVerifier({ publicKey: keys.publicKey, clock: { now: () => now, after } })
  async function isCached(token: string): Promise<boolean> {
    now = NOW - 1
    const { outcome } = await verify(token)
    now = NOW
    return outcome === 'valid'
  }
  return { verify, isCached }
}

const begunNow = (sub: string) => forge({ sub, nbf: NOW })

t.test('a cached license is not pushed out by a flood of bad ones', async (t) => {
  const { verify, isCached } = createWatchedVerifier()
  const good = begunNow('good')
  await verify(good)
  for (let i = 0; i < 600; i++) await verify(`${part(EDDSA)}.${part({ sub: `bad-${i}` })}.AAAA`)
  t.equal(await isCached(good), true)
})

t.test('cache of 256 licenses: drops the least recently used for the 257th', async (t) => {
  const { verify, isCached } = createWatchedVerifier()
  const tokens = Array.from({ length: 257 }, (_, i) => begunNow(`s-${i}`))
  const [first = '', second = '', third = ''] = tokens
  for (const token of tokens.slice(0, 256)) await verify(token)
  await verify(first)
  await verify(tokens[256] as string)
  t.equal(await isCached(first), true, 'used a moment ago')
  t.equal(await isCached(second), false, 'used longest ago')
  t.equal(await isCached(third), true)
})

t.test('many licenses of one subject push out its own and none of another', async (t) => {
  const { verify, isCached } = createWatchedVerifier()
  const quiet = begunNow('quiet')
  const many = Array.from({ length: 300 }, (_, n) => forge({ sub: 'many', nbf: NOW, jti: String(n) }))
  await verify(quiet)
  for (const token of many) await verify(token)
  t.equal(await isCached(quiet), true)
  t.equal(await isCached(many.at(-1) ?? ''), true)
  t.equal(await isCached(many[44] ?? ''), false, 'of 255 places the latest have one')
  t.equal(await isCached(many[45] ?? ''), true)
})
