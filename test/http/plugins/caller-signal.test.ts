import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import t from 'tap'
import { signalOf } from '../../../src/http/plugins/caller-signal.js'
import { until } from '../../support/until.js'

t.test('work learns that its caller has gone, also where it begins after that', async (t) => {
  const app = Fastify()
  const signals: AbortSignal[] = []
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  app.get('/', async (_request, reply) => {
    signals.push(signalOf(reply))
    begin()
    await once(reply.raw, 'close')
    signals.push(signalOf(reply))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await begun
  t.equal(signals[0]?.aborted, false)
  socket.destroy()
  await until(() => signals.length === 2)
  t.same(
    signals.map(({ aborted }) => aborted),
    [true, true]
  )
})
