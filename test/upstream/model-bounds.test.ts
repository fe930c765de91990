// Against a server on a real socket.
import t, { type Test } from 'tap'
import { DomainError } from '../../src/domain/errors.js'
import type { Weight } from '../../src/domain/fairness/weight.js'
import { createModelService } from '../../src/upstream/model-service.js'
import { type Script, startUpstream } from '../support/chat-upstream.js'
import { createManualClock, createRecordingLogger } from '../support/embedder-ports.js'

const ASK = { method: 'POST' as const, path: 'chat/completions' }

async function open(t: Test, script: Script) {
  const upstream = await startUpstream(t, script)
  const clock = createManualClock()
  const service = createModelService({ url: upstream.url, apiKey: undefined, clock, logger: createRecordingLogger() })
  t.teardown(() => service.close())
  return { upstream, send: (more: object = {}) => service.send({ ...ASK, ...more }, new AbortController().signal) }
}

t.test('a service that sends interim answers without end is given up', async (t) => {
  const { upstream, send } = await open(t, ({ response }, nth) => {
    response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(nth === 1 ? 100 : 101))
    if (nth === 1) response.end('ok')
  })
  t.equal((await send()).status, 200)
  await t.rejects(send(), { code: 'upstream_unavailable', message: 'The model service cannot be reached' })
  await upstream.calls[1]?.closed
})

t.test('memory for the window of a coding is taken before anything is decoded, and where there is none the call ends', async (t) => {
  const { upstream, send } = await open(t, ({ response }) => response.writeHead(200, { 'content-encoding': 'br' }).write('x'))
  const none = new DomainError('memory_exhausted', 'none')
  let buffers = 0
  const holds = (weight: Weight): void => {
    buffers += weight.buffers
    throw none
  }
  await t.rejects(send({ holds }), none)
  t.ok(buffers > 16 * 2 ** 20, 'the largest window of Brotli')
  await upstream.calls[0]?.closed
})
