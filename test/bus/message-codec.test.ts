/** Bytes of another node are decoded to plain data and nothing else. */
import type * as Msgpackr from 'msgpackr'
import * as entry from 'msgpackr/pack'
import t from 'tap'
import { decodeMessage, encodeMessage } from '../../src/bus/message-codec.js'

/** Not of the main entry, whose native part would read texts in the whole process, which other tests share. */
const { Packr } = entry as typeof Msgpackr

/** Codec of a node that encodes differently. */
const foreign = new Packr({ moreTypes: true, structuredClone: true })

t.test('plain data crosses as it is', async (t) => {
  const body = {
    text: 'a',
    list: [1, -0.5, null, true, undefined],
    vector: Float32Array.of(1, 2),
    map: new Map([[1, 'a']]),
    date: new Date(5)
  }
  t.same(decodeMessage(encodeMessage(body)), body)
  t.same(decodeMessage(foreign.pack({ plain: ['a', 1] })), { plain: ['a', 1] }, 'no matter who packed it')
})

t.test('nothing is built from errors, patterns, sets, large integers, references or bundles', async (t) => {
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  for (const [name, body] of Object.entries({
    error: new TypeError('a'),
    pattern: /(a+)+b/,
    set: new Set([1]),
    largeInteger: 1n << 80n,
    cycle
  })) {
    t.throws(() => decodeMessage(foreign.pack({ body })), name)
  }
  t.throws(
    () => decodeMessage(new Packr({ bundleStrings: true }).pack(Array.from({ length: 50 }, (_, at) => `a text, number ${at}`))),
    'bundle'
  )
})

t.test('no bytes reach the prototype of an object, or have any but own fields', async (t) => {
  const plain = new Packr({ useRecords: false })
  const hostile = Buffer.from(plain.pack({ x_proto_x: { isAdmin: true } }))
  Buffer.from('__proto__').copy(hostile, hostile.indexOf('x_proto_x'))
  decodeMessage(hostile)
  const records = Buffer.from(new Packr().pack([{ x_proto_x: { isAdmin: true } }, { x_proto_x: { isAdmin: true } }]))
  Buffer.from('__proto__').copy(records, records.indexOf('x_proto_x'))
  const [first] = decodeMessage(records) as object[]
  t.equal(Object.getPrototypeOf(first), Object.prototype)
  t.notOk('isAdmin' in {})
})

t.test("bytes that end early, go on, or nest without end are nobody's message", async (t) => {
  const whole = encodeMessage({ text: 'a', list: [1, 2, 3] })
  for (let length = 1; length < whole.length; length++) t.throws(() => decodeMessage(whole.slice(0, length)), String(length))
  t.throws(() => decodeMessage(Buffer.concat([whole, whole])))
  t.throws(() => decodeMessage(Buffer.alloc(1_000_000, 0x91)), 'a list in a list, a million times')
  t.throws(() => decodeMessage(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff])), 'a list of four thousand million, in five bytes')
  t.same(decodeMessage(whole), { text: 'a', list: [1, 2, 3] }, 'and the next message is read as before')
})
