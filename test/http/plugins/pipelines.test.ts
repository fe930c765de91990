import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import t from 'tap'
import { createPipelines } from '../../../src/http/plugins/pipelines.js'
import { settled } from '../../support/manual-clock.js'

const CONNECTIONS = 40
const EACH = 16

t.test('of many connections with many requests each begins one in an iteration, and few of them more', async (t) => {
  const iterations: (() => void)[] = []
  const { watch } = createPipelines(() => new Promise((resolve) => iterations.push(resolve)))
  const begun = Array.from({ length: CONNECTIONS }, () => 0)
  const request = `GET / HTTP/1.1\r\nx-padding: ${'x'.repeat(256)}\r\n\r\n`
  for (let at = 0; at < CONNECTIONS; at++) {
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    socket.on('data', () => void (begun[at] = (begun[at] ?? 0) + 1))
    watch(socket as unknown as Socket)
    socket.push(request.repeat(EACH))
  }
  const all = (): number => begun.reduce((sum, count) => sum + count, 0)
  await settled()
  t.ok(begun.every((count) => count > 0))
  t.equal(all(), CONNECTIONS + 64)
  for (let turns = 0; all() < CONNECTIONS * EACH && turns < CONNECTIONS * EACH; turns++) {
    const before = all()
    iterations.splice(0).forEach((end) => end())
    await settled()
    t.ok(all() - before <= EACH + 64)
  }
  t.ok(
    begun.every((count) => count === EACH),
    'all are begun in the end'
  )
})
