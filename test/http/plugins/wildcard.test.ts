import t from 'tap'
import { decodeWildcard } from '../../../src/http/plugins/wildcard.js'

const TEMPLATE = '/v1/session/:session_id/entities/*'
const keyIn = (target: string) => decodeWildcard(target, TEMPLATE)

t.test('the end of a path is what the caller wrote, with its slashes, decoded once', async (t) => {
  t.equal(keyIn('/v1/session/s/entities/a'), 'a')
  t.equal(keyIn('/v1/session/s/entities/src/a.ts'), 'src/a.ts')
  t.equal(keyIn('/v1/session/s/entities/src//a/'), 'src//a/')
  t.equal(keyIn('/v1/session/s/entities/'), '')
  t.equal(keyIn('/v1/session/s%2Ft/entities/a%2Fb%20%C3%A4'), 'a/b ä')
  t.equal(keyIn('/v1/session/s/entities/a%252Fb'), 'a%2Fb')
})

t.test('neither a query nor a fragment nor the server that a proxy names is part of it', async (t) => {
  t.equal(keyIn('/v1/session/s/entities/a?b=/c#d'), 'a')
  t.equal(keyIn('/v1/session/s/entities/a#d?b'), 'a')
  t.equal(keyIn('HTTPS://memory.example:8443/v1/session/s/entities/a/b'), 'a/b')
  t.equal(keyIn('/v1/session/s/entities/http://x/y'), 'http://x/y')
})

t.test('what is not percent-encoded UTF-8 is refused', async (t) => {
  for (const end of ['%', '%zz', '%C3'])
    t.throws(() => keyIn(`/v1/session/s/entities/${end}`), { status: 400, message: 'The path is not valid percent-encoded UTF-8' })
})
