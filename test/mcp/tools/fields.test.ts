import t from 'tap'
import { cut } from '../../../src/mcp/tools/fields.js'

t.test('a text is cut to so many units, and never within a pair of surrogates', async (t) => {
  t.equal(cut('abc', 3), 'abc')
  t.equal(cut('abcd', 3), 'abc')
  // The first and the last character that take two units.
  for (const pair of ['\u{10000}', '\u{10ffff}']) {
    t.equal(cut(`ab${pair}c`, 3), 'ab')
    t.equal(cut(`ab${pair}c`, 4), `ab${pair}`)
  }
  // Those beside the surrogates take one.
  for (const single of ['\ud7ff', '\ue000']) t.equal(cut(`ab${single}c`, 3), `ab${single}`)
})
