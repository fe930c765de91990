// Whose signatures are checked first when more licenses come than can be checked at once.
import { createPrivateKey, sign } from 'node:crypto'
import t from 'tap'
import { generateKeyPair } from '../../src/auth/license-signing.js'
import { createLicenseVerifier } from '../../src/auth/license.js'

const NOW = 1_800_000_000
const FLOOD = 100
const keys = generateKeyPair()
const after = () => () => undefined

function forge(claims: object): string {
  const input = [{ alg: 'EdDSA' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${input}.${sign(null, Buffer.from(input), createPrivateKey(keys.privateKey)).toString('base64url')}`
}

/** Creates a verifier whose clock stands at `NOW` until it is set, and which notes the name of each answer in its order. */
function createDoor() {
  const door = { now: NOW, answered: [] as string[], place: (name: string) => door.answered.indexOf(name), verify, ask, pushOut }
  const verifier = createLicenseVerifier({ publicKey: keys.publicKey, clock: { now: () => door.now, after } })
  function verify(token: string) {
    return verifier(token)
  }
  async function ask(name: string, token: string, address: string): Promise<void> {
    await verifier(token, { isWanted: () => true, address })
    door.answered.push(name)
  }
  /** Fills the cache with others. */
  async function pushOut(): Promise<void> {
    for (let n = 0; n < 256; n++) await verifier(forge({ sub: `s${String(n)}` }))
  }
  return door
}

t.test('an expired license has no precedence, although it was valid once', async (t) => {
  const door = createDoor()
  const expiring = forge({ sub: 'expiring', exp: NOW + 10 })
  t.match(await door.verify(expiring), { outcome: 'valid' })
  await door.pushOut()
  door.now = NOW + 10
  t.match(await door.verify(expiring), { outcome: 'expired' })
  const flood = Array.from({ length: FLOOD }, () => door.ask('expired', expiring, 'flood'))
  const fresh = Array.from({ length: 10 }, (_, n) => door.ask(`fresh${String(n)}`, forge({ sub: `f${String(n)}` }), 'home'))
  await Promise.all([...flood, ...fresh])
  t.ok(door.place('fresh9') < 32, `the last of ten new ones alternates with it: ${String(door.place('fresh9'))} came first`)
})

t.test('an expired license that is still in the cache has none either', async (t) => {
  const door = createDoor()
  const expiring = forge({ sub: 'expiring', exp: NOW + 10 })
  await door.verify(expiring)
  door.now = NOW + 10
  const flood = Array.from({ length: FLOOD }, () => door.ask('expired', expiring, 'flood'))
  const fresh = Array.from({ length: 10 }, (_, n) => door.ask(`fresh${String(n)}`, forge({ sub: `f${String(n)}` }), 'home'))
  await Promise.all([...flood, ...fresh])
  t.ok(door.place('fresh9') < 32, String(door.place('fresh9')))
})

t.test('many valid licenses of one subject keep out neither another that was valid before nor one that never was', async (t) => {
  const door = createDoor()
  const many = Array.from({ length: 400 }, (_, n) => forge({ sub: 'many', jti: String(n) }))
  const other = forge({ sub: 'other' })
  await door.verify(other)
  for (const token of many) await door.verify(token)
  await door.pushOut()
  const flood = many.map((token) => door.ask('many', token, 'balancer'))
  const rest = [door.ask('other', other, 'balancer'), door.ask('fresh', forge({ sub: 'fresh' }), 'balancer')]
  await Promise.all([...flood, ...rest])
  t.ok(door.place('other') < 12, `one that was valid before: ${String(door.place('other'))} came first`)
  t.ok(door.place('fresh') < 16, `one that never was looked at: ${String(door.place('fresh'))} came first`)
})
