import t from 'tap'
import { beginningOf } from '../../src/debug-page/beginning.js'

t.test('the beginning of a text ends between two characters as a reader sees them', async (t) => {
  t.equal(beginningOf('12345', 5), '12345')
  t.equal(beginningOf('123456', 5), '12345…')
  t.equal(beginningOf('1234🔥', 5), '1234…')
  t.equal(beginningOf('ab👨‍👩‍👧 and more', 6), 'ab…')
  t.equal(beginningOf('ae\u0301b', 2), 'a…')
})
