/** Bodies are read as the packer reads them, whatever they are. */
import fc from 'fast-check'
import t from 'tap'
import { createBodyReader } from '../../src/storage/body-reader.js'
import { decodeBody, encodeBody } from '../../src/storage/record-codec.js'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom('user', 'assistant', 'long_term', '\ud800', 'a\udfff', '\ufffd', '\ufeffa', 'é', 'ā'.repeat(12))
)
const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    text,
    fc.constantFrom(
      null,
      true,
      false,
      undefined,
      0,
      -0,
      127,
      128,
      255,
      256,
      65_535,
      65_536,
      2 ** 32,
      2 ** 53,
      -1,
      -33,
      -40_000,
      -(2 ** 31)
    ),
    fc.integer(),
    fc.double(),
    fc.array(fc.float(), { maxLength: 400 }).map((numbers) => Float32Array.from(numbers)),
    fc.array(fc.double(), { maxLength: 4 }).map((numbers) => Float64Array.from(numbers)),
    fc.array(tie('value'), { maxLength: 20 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('id', 'seq', '__proto__')), tie('value'), { maxKeys: 20 })
  )
})).value

t.test('as the packer reads them, one after another', (t) => {
  fc.assert(
    fc.property(fc.array(plain, { minLength: 1, maxLength: 8 }), (values) => {
      const encoded = values.map(encodeBody)
      const bytes = Buffer.concat([Buffer.from([1, 2, 3]), ...encoded])
      const reader = createBodyReader()
      let start = 3
      for (const body of encoded) {
        const end = start + body.length
        t.strictSame(reader.read(bytes, { start, end }), decodeBody(body))
        start = end
      }
    })
  )
  t.end()
})

t.test('a vector is a copy of its own', (t) => {
  const bytes = encodeBody({ vector: Float32Array.of(1, 2, 3) })
  const { vector } = createBodyReader().read(bytes, { start: 0, end: bytes.length }) as { vector: Float32Array }
  bytes.fill(0)
  t.strictSame(vector, Float32Array.of(1, 2, 3))
  t.equal(vector.buffer.byteLength, vector.byteLength)
  t.end()
})

t.test('what is cut off or goes on is no body', (t) => {
  const bytes = encodeBody({ id: 'abcdef', list: [1, 2, 3], vector: Float32Array.of(1, 2) })
  const reader = createBodyReader()
  for (let end = 0; end < bytes.length; end++) t.throws(() => reader.read(bytes, { start: 0, end }))
  t.throws(() => reader.read(Buffer.concat([bytes, bytes]), { start: 0, end: bytes.length + 1 }))
  t.throws(() => reader.read(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]), { start: 0, end: 5 }))
  t.end()
})
