// What fails because a client has left is no fault of the service: an alert on errors stays silent.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { createRig } from '../../support/http-rig.js'
import { until } from '../../support/until.js'

t.test('a request that fails: an error in the log, and none once its client has left', async (t) => {
  const failing: ((error: Error) => void)[] = []
  const rig = await createRig({ intercept: () => new Promise((_resolve, reject) => failing.push(reject)) })
  await rig.app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => rig.app.close())
  const head = `POST /v1/run HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await rig.token('alice')}\r\ncontent-type: application/json\r\n`
  const lines = (text: string) =>
    rig.logs.filter((line) => line.includes(text)).map((line) => (JSON.parse(line) as { level: number }).level)
  for (const [leaves, level] of [
    [false, 50],
    [true, 30]
  ] as const) {
    rig.logs.length = 0
    const socket = connect((rig.app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(`${head}content-length: 15\r\n\r\n{"message":"x"}`)
    await until(() => failing.length === 1)
    if (leaves) {
      socket.destroy()
      await until(() => lines('response cut off').length === 1)
    }
    failing.pop()?.(new Error('broken off'))
    await until(() => lines('request failed').length === 1)
    t.strictSame(lines('request failed'), [level])
  }
})
