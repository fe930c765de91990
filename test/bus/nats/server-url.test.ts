import t from 'tap'
import { parseServerUrl } from '../../../src/bus/nats/server-url.js'

t.test('addresses of servers are read with their ports, and credentials once for all', async (t) => {
  t.same(parseServerUrl('nats://one'), { servers: ['one:4222'], isEncrypted: false, credentials: null })
  t.same(parseServerUrl('nats://one:1, nats://u%40:p%3A@two:2'), {
    servers: ['one:1', 'two:2'],
    isEncrypted: false,
    credentials: { user: 'u@', pass: 'p:' }
  })
  for (const mixed of ['tls://one,nats://two', 'nats://one,tls://two'])
    t.match(parseServerUrl(mixed), { isEncrypted: true }, 'one that asks for it is enough')
  t.same(parseServerUrl('tls://token@[::1]:4333/'), { servers: ['[::1]:4333'], isEncrypted: true, credentials: { token: 'token' } })
})

t.test('what is no address of a server is refused without quoting it', async (t) => {
  for (const text of ['', 'one', 'http://secret', 'nats://', 'nats://one,', 'nats://secret:port']) {
    t.throws(() => parseServerUrl(text), { message: 'The address of a NATS server is not like nats://host:port' }, text)
  }
})
