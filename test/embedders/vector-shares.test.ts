import t from 'tap'
import { createVectorShares } from '../../src/embedders/vector-shares.js'
import { createManualClock } from '../support/manual-clock.js'

/** Bytes of a cache entry for one vector of 14 numbers. */
const ENTRY = 664
const vector = (first = 0) => Float32Array.from({ length: 14 }, (_, at) => (at === 0 ? first : 0))

t.test('a vector that is remembered is given again to its subject, and to nobody else', async (t) => {
  const shares = createVectorShares(10 * ENTRY, createManualClock())
  const red = vector(1)
  shares.keep('alice', 'red', red)
  t.equal(shares.get('alice', 'red'), red)
  t.equal(shares.get('alice', 'blue'), undefined)
  t.equal(shares.get('bob', 'red'), undefined)
  shares.keep('alice', 'red', vector(2))
  t.equal(shares.get('alice', 'red'), red, 'the same text has the same vector')
  t.equal(shares.bytes, ENTRY)
  shares.forget()
  t.equal(shares.bytes, 0)
  t.equal(shares.get('alice', 'red'), undefined)
})

t.test('what is forgotten of one subject is still remembered for the others', async (t) => {
  const shares = createVectorShares(10 * ENTRY, createManualClock())
  for (const subject of ['alice', 'bob', 'carol']) shares.keep(subject, 'red', vector())
  shares.forget('bob')
  shares.forget('nobody')
  t.same(
    ['alice', 'bob', 'carol'].filter((subject) => shares.get(subject, 'red') !== undefined),
    ['alice', 'carol']
  )
  t.equal(shares.bytes, 2 * ENTRY)
})

t.test('a subject alone has all of it, and loses what it used least recently', async (t) => {
  const shares = createVectorShares(3 * ENTRY, createManualClock())
  for (const key of ['a', 'b', 'c']) shares.keep('alice', key, vector())
  t.equal(shares.bytes, 3 * ENTRY)
  shares.get('alice', 'a')
  shares.keep('alice', 'd', vector())
  t.same(
    ['a', 'b', 'c', 'd'].filter((key) => shares.get('alice', key) !== undefined),
    ['a', 'c', 'd']
  )
  t.equal(shares.bytes, 3 * ENTRY)
})

t.test('a subject with more than an equal part makes room when another one comes', async (t) => {
  const shares = createVectorShares(4 * ENTRY, createManualClock())
  for (const key of ['a', 'b', 'c', 'd']) shares.keep('alice', key, vector())
  for (const key of ['x', 'y']) shares.keep('bob', key, vector())
  const heldBy = (subject: string, keys: string) => [...keys].filter((key) => shares.get(subject, key) !== undefined).join('')
  t.same([heldBy('alice', 'abcd'), heldBy('bob', 'xy')], ['cd', 'xy'])
  shares.keep('bob', 'z', vector())
  t.same([heldBy('alice', 'abcd'), heldBy('bob', 'xyz')], ['cd', 'yz'], 'with its own part full it makes room itself')
  shares.keep('carol', 'q', vector())
  t.same([heldBy('alice', 'abcd').length + heldBy('bob', 'xyz').length, heldBy('carol', 'q')], [3, 'q'])
})

t.test('what is larger than everything is not remembered, and pushes nothing out', async (t) => {
  const shares = createVectorShares(2 * ENTRY, createManualClock())
  shares.keep('alice', 'a', vector())
  shares.keep('bob', 'huge', new Float32Array(1_000))
  shares.keep('alice', 'huge', new Float32Array(1_000))
  t.equal(shares.get('bob', 'huge'), undefined)
  t.equal(shares.bytes, ENTRY)
  shares.keep('bob', 'all', new Float32Array((2 * ENTRY - 608) / 4))
  t.ok(shares.get('alice', 'a'), 'what fills it is more than an equal part, and makes room itself')
  shares.forget()
  shares.keep('bob', 'all', new Float32Array((2 * ENTRY - 608) / 4))
  t.equal(shares.bytes, 2 * ENTRY)
})

t.test('of more subjects than there may be shares the one that was used least recently loses its own', async (t) => {
  const shares = createVectorShares(1e9, createManualClock())
  for (let n = 0; n < 4_096; n++) shares.keep(`s${n}`, 'a', vector())
  shares.get('s0', 'a')
  shares.keep('one more', 'a', vector())
  t.ok(shares.get('s0', 'a'))
  t.equal(shares.get('s1', 'a'), undefined)
  t.ok(shares.get('s2', 'a'))
  t.equal(shares.bytes, 4_096 * ENTRY)
})

t.test('what a subject has lost counts no more, and one that has nothing left has no part', async (t) => {
  const shares = createVectorShares(6 * ENTRY, createManualClock())
  const keep = (subject: string, keys: string) => [...keys].forEach((key) => shares.keep(subject, key, vector()))
  const heldBy = (subject: string, keys: string) => [...keys].filter((key) => shares.get(subject, key) !== undefined).join('')
  keep('alice', 'abcdef')
  keep('bob', 'xyz')
  shares.keep('dave', 'all', new Float32Array((6 * ENTRY - 608) / 4))
  t.equal(shares.get('dave', 'all'), undefined)
  keep('carol', 'qr')
  t.equal(heldBy('carol', 'qr'), 'qr', 'of three each has two')
  t.same([heldBy('bob', 'xyz'), heldBy('alice', 'abcdef')], ['yz', 'ef'])
  keep('erin', 'm')
  t.same([heldBy('carol', 'qr'), heldBy('bob', 'xyz'), heldBy('alice', 'abcdef')], ['r', 'yz', 'ef'], 'of equals, the one used longest ago')
})

t.test('what was not used for a time is forgotten, of each subject', (t) => {
  const clock = createManualClock()
  const shares = createVectorShares(10 * ENTRY, clock)
  for (const key of ['a', 'b', 'c']) shares.keep('alice', key, vector())
  shares.keep('bob', 'a', vector())
  clock.work(1_000)
  shares.get('alice', 'a')
  shares.keep('alice', 'd', vector())
  shares.forgetUnused(1_001)
  t.equal(shares.bytes, 5 * ENTRY)
  shares.forgetUnused(1_000)
  t.equal(shares.bytes, 2 * ENTRY)
  t.same(
    ['a', 'b', 'c', 'd'].filter((key) => shares.get('alice', key) !== undefined),
    ['a', 'd']
  )
  t.equal(shares.get('bob', 'a'), undefined)
  t.end()
})
