import t from 'tap'
import { createSystemSecrets } from '../../src/platform/random-sources.js'

t.test('secrets are 256 bits that go into an address as they are, and no two are alike', async (t) => {
  const secrets = createSystemSecrets()
  const made = Array.from({ length: 100 }, () => secrets.secret())
  for (const secret of made) t.match(secret, /^[A-Za-z0-9_-]{43}$/)
  t.equal(new Set(made).size, made.length)
})
