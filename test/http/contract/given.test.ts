import t from 'tap'
import { given } from '../../../src/http/contract/given.js'

t.test('what is null or left out was not given, and everything else was', async (t) => {
  t.strictSame(given({ a: undefined, b: null, c: 0, d: '', e: false, f: [] }), { c: 0, d: '', e: false, f: [] })
})
