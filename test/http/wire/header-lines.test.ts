import t from 'tap'
import { headerLines } from '../../../src/http/wire/header-lines.js'

t.test('all lines of a header are read, trimmed, in any case, and no value is taken for a name', async (t) => {
  const rawHeaders = ['Host', ' a ', 'x-note', 'host', 'host', 'b', 'X-HOST', 'c', 'x-note', 'HOST']
  t.same(headerLines({ rawHeaders }, 'host'), ['a', 'b'])
  t.same(headerLines({ rawHeaders }, 'x-note'), ['host', 'HOST'])
  t.same(headerLines({ rawHeaders: [] }, 'host'), [])
})
