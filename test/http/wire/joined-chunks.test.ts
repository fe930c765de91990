import fc from 'fast-check'
import t from 'tap'
import { createJoinedChunks } from '../../../src/http/wire/joined-chunks.js'

const KIB_16 = 16 * 1024

function join(chunks: readonly Uint8Array[]): Uint8Array[] {
  const passed: Uint8Array[] = []
  const joined = createJoinedChunks((chunk) => passed.push(chunk))
  for (const chunk of chunks) joined.add(chunk)
  joined.end()
  return passed
}

t.test('chunks of one byte: come as few', (t) => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))
  const passed = join(Array.from(bytes, (byte) => Uint8Array.of(byte)))
  t.strictSame(
    passed.map(({ length }) => length),
    [...Array.from({ length: 6 }, () => KIB_16), 100_000 - 6 * KIB_16]
  )
  t.ok(Buffer.concat(passed).equals(bytes))
  t.end()
})

t.test('long chunks: come as they are, after what was before them', (t) => {
  const long = Buffer.alloc(KIB_16, 1)
  const passed = join([Buffer.from('a'), Buffer.from('b'), long, Buffer.from('c')])
  t.strictSame(
    passed.map(({ length }) => length),
    [2, KIB_16, 1]
  )
  t.equal(passed[1], long)
  t.strictSame(join([]), [])
  t.end()
})

t.test('any chunks: the same bytes in the same order', (t) => {
  const lengths = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 * KIB_16 }))
  fc.assert(
    fc.property(fc.array(lengths, { maxLength: 600 }), (sizes) => {
      const chunks = sizes.map((size, at) => Buffer.alloc(size, at % 256))
      return Buffer.concat(join(chunks)).equals(Buffer.concat(chunks))
    }),
    { numRuns: 50 }
  )
  t.end()
})
