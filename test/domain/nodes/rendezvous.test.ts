import fc from 'fast-check'
import t from 'tap'
import { addressKey } from '../../../src/domain/address.js'
import { createPlacement } from '../../../src/domain/nodes/rendezvous.js'

/** Any UTF-16 code units, including lone surrogates. */
const oddText = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units))
const nodeIds = fc.uniqueArray(fc.oneof(oddText, fc.uuid(), fc.constantFrom('node-1', 'node-2', 'node-3')), { minLength: 1, maxLength: 12 })

t.test('placement, no nodes: nobody owns a key', async (t) => {
  t.equal(createPlacement([]).ownerOf('key'), null)
  t.strictSame(createPlacement([]).nodeIds, [])
})

t.test('placement, nodes given in any order and more than once: the same owners', async () => {
  const shuffled = nodeIds.chain((ids) => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids, { minLength: ids.length }), fc.subarray(ids)))
  fc.assert(
    fc.property(shuffled, oddText, ([ids, others, twice], key) => {
      const [one, other] = [createPlacement(ids), createPlacement([...others, ...twice])]
      return (
        one.ownerOf(key) === other.ownerOf(key) &&
        one.nodeIds.join('|') === other.nodeIds.join('|') &&
        ids.includes(String(one.ownerOf(key)))
      )
    })
  )
})

t.test('placement, one node leaves: only its own keys move', async () => {
  fc.assert(
    fc.property(nodeIds, fc.nat(), fc.array(oddText, { minLength: 1 }), (ids, at, keys) => {
      const lost = ids[at % ids.length]
      const [before, after] = [createPlacement(ids), createPlacement(ids.filter((id) => id !== lost))]
      return keys.every((key) => (before.ownerOf(key) === lost ? after.ownerOf(key) !== lost : after.ownerOf(key) === before.ownerOf(key)))
    })
  )
})

t.test('placement, one node joins: keys move to it alone', async () => {
  fc.assert(
    fc.property(nodeIds, oddText, fc.array(oddText, { minLength: 1 }), (ids, joined, keys) => {
      const [before, after] = [createPlacement(ids), createPlacement([...ids, joined])]
      return keys.every((key) => after.ownerOf(key) === joined || after.ownerOf(key) === before.ownerOf(key))
    })
  )
})

/** The score as the references define it, in 64-bit integers; the sources compute it in halves and must agree. */
t.test('placement, against the references of its hashes: the same owners', async (t) => {
  t.strictSame(
    [murmur(Buffer.from(''), 1), murmur(Buffer.from('test'), 0), murmur(Buffer.from('Hello, world!'), 0x9747b28c)],
    [0x514e28b7n, 0xba6bd213n, 0x24884cban],
    'vectors in circulation for MurmurHash3_x86_32'
  )
  t.equal(finish(1n), 0xb456bcfc34c2cb2cn, 'and for fmix64')
  fc.assert(fc.property(nodeIds, oddText, (ids, key) => createPlacement(ids).ownerOf(key) === referenceOwner(ids, key)))
})

/** These are a protocol: a change of any would split a service during a rolling upgrade. */
t.test('placement, keys of addresses: owners that never change', async (t) => {
  const { ownerOf } = createPlacement(['node-1', 'node-2', 'node-3'])
  const sessionKeys = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => addressKey({ kind: 'session', subject: 'anonymous', id }))
  t.strictSame(sessionKeys.map(ownerOf), ['node-1', 'node-1', 'node-1', 'node-2', 'node-1', 'node-1'])
  t.strictSame(['', '\ud800', '\udfff\ud800', 'key', 'kez', '鍵'].map(ownerOf), [
    'node-2',
    'node-1',
    'node-3',
    'node-3',
    'node-1',
    'node-2'
  ])
  const uuids = ['8d1f6c1e-52e4-4c3c-9f4e-0a7f4f1f2b01', '8d1f6c1e-52e4-4c3c-9f4e-0a7f4f1f2b02', '']
  t.strictSame(['a', 'b', 'c', 'd', 'e', 'f'].map(createPlacement(uuids).ownerOf), ['', uuids[1], '', uuids[0], '', uuids[0]])
})

/** Node ids found by search: for the key, the upper 32 bits of their weights are equal. */
t.test('placement, weights that differ in their lower bits alone: the greater owns the key', async (t) => {
  for (const ids of [
    ['node-21656', 'node-73882'],
    ['node-122282', 'node-4032']
  ]) {
    t.equal(createPlacement(ids).ownerOf('key'), referenceOwner(ids, 'key'))
  }
})

/** Chi-square over its degrees of freedom has mean 1 and variance 2 over them; six deviations are allowed, and the keys are fixed. */
t.test('placement, keys and ids that differ in one character: shares even', async (t) => {
  const nodeNames = [(at: number) => `node-${String(at)}`, (at: number) => String.fromCharCode(at), (at: number) => 'n'.repeat(at)]
  const keyNames = [
    (at: number) => addressKey({ kind: 'session', subject: 's', id: `s${String(at)}` }),
    (at: number) => String.fromCharCode(at)
  ]
  for (const count of [2, 3, 10, 50]) {
    for (const nameNode of nodeNames) {
      for (const nameKey of keyNames) {
        const { ownerOf } = createPlacement(Array.from({ length: count }, (_, at) => nameNode(at)))
        const owners = Array.from({ length: KEYS }, (_, at) => String(ownerOf(nameKey(at))))
        const degrees = count - 1
        const ratio = chiSquare(owners, count) / degrees
        t.ok(ratio < 1 + 6 * Math.sqrt(2 / degrees), `${String(count)} nodes such as ${JSON.stringify(nameNode(3))}: ${ratio.toFixed(2)}`)
      }
    }
  }
})

t.test('placement, the keys of one node when it leaves: spread evenly over the others', async (t) => {
  const ids = Array.from({ length: 10 }, (_, at) => `node-${String(at)}`)
  const [before, after] = [createPlacement(ids), createPlacement(ids.slice(1))]
  const keys = Array.from({ length: KEYS }, (_, at) => `s${String(at)}`).filter((key) => before.ownerOf(key) === 'node-0')
  const ratio =
    chiSquare(
      keys.map((key) => String(after.ownerOf(key))),
      9
    ) / 8
  t.ok(ratio < 1 + 6 * Math.sqrt(2 / 8), ratio.toFixed(2))
})

/** Number of all character codes, so that one-character keys do not repeat. */
const KEYS = 0x10000

function chiSquare(owners: readonly string[], count: number): number {
  const shares = new Map<string, number>()
  for (const owner of owners) shares.set(owner, (shares.get(owner) ?? 0) + 1)
  const expected = owners.length / count
  let sum = (count - shares.size) * expected
  for (const share of shares.values()) sum += (share - expected) ** 2 / expected
  return sum
}

function referenceOwner(ids: readonly string[], key: string): string | undefined {
  const weights = ids.map((id) => ({ id, weight: finish(hash64(key) ^ hash64(id)) >> 11n }))
  return weights.sort((a, b) => (a.weight === b.weight ? (a.id < b.id ? -1 : 1) : a.weight > b.weight ? -1 : 1))[0]?.id
}

function hash64(text: string): bigint {
  const bytes = Buffer.from(text, 'utf16le')
  return (murmur(bytes, 0) << 32n) | murmur(bytes, 0x9e3779b9)
}

/** MurmurHash3_x86_32, byte by byte. */
function murmur(bytes: Buffer, seed: number): bigint {
  const to32 = (value: bigint): bigint => BigInt.asUintN(32, value)
  const rotate = (value: bigint, bits: bigint): bigint => to32(value << bits) | (value >> (32n - bits))
  const scramble = (block: bigint): bigint => to32(rotate(to32(block * 0xcc9e2d51n), 15n) * 0x1b873593n)
  let state = BigInt(seed)
  for (let at = 0; at < bytes.length; at += 4) {
    let block = 0n
    for (const [offset, byte] of bytes.subarray(at, at + 4).entries()) block |= BigInt(byte) << BigInt(8 * offset)
    state ^= scramble(block)
    if (at + 4 <= bytes.length) state = to32(rotate(state, 13n) * 5n + 0xe6546b64n)
  }
  state ^= BigInt(bytes.length)
  state = to32((state ^ (state >> 16n)) * 0x85ebca6bn)
  state = to32((state ^ (state >> 13n)) * 0xc2b2ae35n)
  return state ^ (state >> 16n)
}

/** fmix64 of MurmurHash3. */
function finish(value: bigint): bigint {
  let state = value
  state = BigInt.asUintN(64, (state ^ (state >> 33n)) * 0xff51afd7ed558ccdn)
  state = BigInt.asUintN(64, (state ^ (state >> 33n)) * 0xc4ceb9fe1a85ec53n)
  return state ^ (state >> 33n)
}
