import fc from 'fast-check'
import t from 'tap'
import { fromKeyBytes, toKeyBytes } from '../../src/storage/key-bytes.js'

/** Any UTF-16 units: lone surrogates, NUL, and the range above the surrogates, where UTF-8 sorts differently. */
const unit = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0xd7f0, max: 0xe010 }), fc.integer({ min: 0, max: 0xffff }))
const anyString = fc.oneof(
  fc.array(unit, { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: 'grapheme' })
)

t.test('names of any units are the same as bytes and back', async () => {
  fc.assert(fc.property(anyString, (name) => fromKeyBytes(toKeyBytes(name)) === name))
})

t.test('two names, as bytes, compare as their units do', async () => {
  fc.assert(fc.property(anyString, anyString, (a, b) => Buffer.compare(toKeyBytes(a), toKeyBytes(b)) === (a < b ? -1 : a > b ? 1 : 0)))
})

t.test('a name in plain letters reads as it is as bytes', async (t) => {
  t.equal(Buffer.from(toKeyBytes('session_1-é')).toString('utf8'), 'session_1-é')
})
