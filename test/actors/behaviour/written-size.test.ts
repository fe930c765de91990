import t from 'tap'
import { writtenBytes } from '../../../actors/behaviour/written-size.js'

t.test('a text counts a byte a character, a number or a truth value eight, a vector its bytes, and a field its name as well', async (t) => {
  t.equal(writtenBytes('hello'), 5)
  t.equal(writtenBytes(''), 0)
  for (const value of [1, true, null, undefined]) t.equal(writtenBytes(value), 8)
  t.equal(writtenBytes(Float32Array.of(1, 2, 3)), 12)
  t.equal(writtenBytes([]), 0)
  t.equal(writtenBytes(['ab', 1, ['c']]), 2 + 8 + 1)
  t.equal(writtenBytes({ text: 'hello', at: 1, inner: { list: ['ab'] } }), 4 + 5 + 2 + 8 + 5 + 4 + 2)
})
