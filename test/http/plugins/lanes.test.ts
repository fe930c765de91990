// Requests of one subject wait for each other, but never for those of another subject.
import { once } from 'node:events'
import { request as openRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { SUBJECT_WAITING_MAX } from '../../../src/domain/limits.js'
import { createLanes } from '../../../src/composition/lanes.js'
import { beginStream, startUpstream } from '../../support/chat-upstream.js'
import { createRig } from '../../support/http-rig.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startService } from '../../support/real-service.js'
import { until } from '../../support/until.js'

const RUN = { session_id: 's', message: 'hello' }
const CHECK = { session_id: 's', text: 'hello' }

/** Creates a rig whose commands wait until the test lets them continue. */
async function createHeldRig(subjectConcurrency: number) {
  const clock = createManualClock()
  const held: (() => void)[] = []
  let isHeld = true
  const intercept = () => (isHeld ? new Promise<void>((resolve) => held.push(resolve)) : undefined)
  const rig = await createRig({ lanes: createLanes({ clock, subjectConcurrency }), intercept })
  const bob = { authorization: `Bearer ${await rig.token('bob')}` }
  return {
    ...rig,
    clock,
    held,
    asBob: (url: string, body: object) => rig.call({ method: 'POST', url, headers: bob, payload: body }),
    letGo() {
      isHeld = false
      for (const goOn of held.splice(0)) goOn()
    },
    /** Resolves once that many commands have reached their owner and no more come. */
    async untilAsked(count: number) {
      for (let quiet = 0; quiet < 20; quiet++) {
        if (rig.asked.length < count) quiet = 0
        await new Promise(setImmediate)
      }
    }
  }
}

t.test('requests beyond what a subject may have under way wait until one of them is answered, and no other subject does', async (t) => {
  const rig = await createHeldRig(2)
  const answers = Array.from({ length: 5 }, () => rig.post('/v1/run', RUN))
  await rig.untilAsked(2)
  t.equal(rig.asked.length, 2)
  const bob = rig.asBob('/v1/run', RUN)
  await rig.untilAsked(3)
  t.equal(rig.asked.length, 3, 'another subject comes in at once')
  rig.held[0]?.()
  await Promise.race(answers)
  await rig.untilAsked(4)
  t.equal(rig.asked.length, 4)
  rig.letGo()
  for (const { status } of [...(await Promise.all(answers)), await bob]) t.equal(status, 200)
})

t.test('a request that waits too long or finds the queue full is refused with 503 and asked to come again', async (t) => {
  const rig = await createHeldRig(1)
  const first = rig.post('/v1/run', RUN)
  await rig.untilAsked(1)
  const waiting = Array.from({ length: SUBJECT_WAITING_MAX }, () => rig.get('/v1/state/context?session_id=s'))
  await new Promise(setImmediate)
  const refused = await rig.post('/v1/run', RUN)
  t.match(refused, { status: 503, headers: { 'retry-after': '1' }, body: { detail: /wait/ } })
  await rig.clock.advance(10_000)
  for (const answer of await Promise.all(waiting)) t.match(answer, { status: 503, headers: { 'retry-after': '1' } })
  t.equal(rig.asked.length, 1)
  rig.letGo()
  t.equal((await first).status, 200)
})

t.test('checks for duplicates take turns of their own: they keep no command waiting, and are bounded themselves', async (t) => {
  const rig = await createHeldRig(4)
  const checks = Array.from({ length: 200 }, () => rig.post('/v1/dedup-check', CHECK))
  await rig.untilAsked(2)
  t.equal(rig.asked.length, 2, 'half as many as commands')
  const run = rig.post('/v1/run', RUN)
  await rig.untilAsked(3)
  t.equal(rig.asked.at(-1)?.command.type, 'session.run')
  rig.letGo()
  t.equal((await run).status, 200)
  for (const { status } of await Promise.all(checks)) t.not(status, 503)
})

t.test('readiness is told whatever its subject has under way', async (t) => {
  const rig = await createHeldRig(1)
  const run = rig.post('/v1/run', RUN)
  await rig.untilAsked(1)
  t.equal((await rig.get('/v1/readyz')).status, 200)
  rig.letGo()
  await run
})

t.test('a caller that goes away while it waits is never let in', async (t) => {
  const rig = await createHeldRig(1)
  await rig.app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => rig.app.close())
  const { port } = rig.app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${await rig.token('alice')}`, 'content-type': 'application/json' }
  const send = () => {
    const request = openRequest({ port, method: 'POST', path: '/v1/run', headers, agent: false })
    request.on('error', () => undefined).end(JSON.stringify(RUN))
    return request
  }
  const first = once(send(), 'response')
  await rig.untilAsked(1)
  const gone = send()
  await once(gone, 'finish')
  await waitingIs(rig.app.server, 2)
  gone.destroy()
  await waitingIs(rig.app.server, 1)
  const last = once(send(), 'response')
  await waitingIs(rig.app.server, 2)
  rig.letGo()
  t.match(await Promise.all([first, last]), [[{ statusCode: 200 }], [{ statusCode: 200 }]])
  t.equal(rig.asked.length, 2)
})

/** Resolves once the server has that many connections. */
async function waitingIs(
  server: { getConnections(told: (error: Error | null, count: number) => void): unknown },
  wanted: number
): Promise<void> {
  for (let count = -1; count !== wanted;) {
    count = await new Promise<number>((resolve) => void server.getConnections((_, found) => resolve(found)))
    await new Promise(setImmediate)
  }
}

t.test('a dedup-check does not count towards the requests of its address, and has a wide limit of its own', async (t) => {
  const rig = await createRig({ config: { rateLimitPerMinute: 2 } })
  await rig.post('/v1/run', RUN)
  for (let n = 0; n < 50; n++) t.equal((await rig.post('/v1/dedup-check', CHECK)).status, 200)
  t.equal((await rig.post('/v1/run', RUN)).status, 200)
  t.equal((await rig.post('/v1/run', RUN)).status, 429)
  t.equal((await rig.post('/v1/dedup-check', CHECK)).status, 200)
})

t.test(
  'a subject with many answers of the model service under way leaves room for another, and its own next one waits for one of them',
  async (t: Test) => {
    const upstream = await startUpstream(t, ({ response }) => void beginStream(response).write(':\n\n'))
    const { service, as } = await startService(t, { env: { SERVICE_UPSTREAM_URL: upstream.url, SERVICE_SUBJECT_CONCURRENCY: '2' } })
    const url = await service.http.listen({ host: '127.0.0.1', port: 0 })
    t.teardown(() => service.http.server.closeAllConnections())
    const [loud, quiet] = [await as('loud'), await as('quiet')]
    const chat = (token: string, signal?: AbortSignal) =>
      fetch(`${url}/compat/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello?' }] }),
        ...(signal !== undefined && { signal })
      })
    const leave = new AbortController()
    const [first] = await Promise.all([chat(loud.token, leave.signal), chat(loud.token)])
    const waiting = chat(loud.token)
    t.equal((await chat(quiet.token)).status, 200)
    t.equal((await loud.post('/v1/run', RUN)).status, 200, 'its commands wait for no stream')
    t.equal(upstream.calls.length, 3)
    leave.abort()
    t.equal((await waiting).status, 200)
    t.equal(upstream.calls.length, 4)
    t.equal(first.status, 200)
  }
)

t.test('a request whose subject rests keeps its place and goes on afterwards, unless its caller has gone', async (t) => {
  const resting: (() => void)[] = []
  const rig = await createRig({
    lanes: createLanes({ clock: createManualClock(), subjectConcurrency: 2 }),
    admit: (_subject, goOn) => void resting.push(goOn)
  })
  await rig.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = rig.app.server.address() as AddressInfo
  const authorization = `Bearer ${await rig.token('alice')}`
  const open = () => {
    const asking = openRequest({ port, method: 'POST', path: '/v1/run', headers: { authorization, 'content-type': 'application/json' } })
    asking.on('error', () => undefined)
    asking.end(JSON.stringify(RUN))
    return asking
  }
  const [gone, staying] = [open(), open()]
  await until(() => resting.length === 2)
  t.equal(rig.asked.length, 0)
  gone.destroy()
  // Its place is taken by the next one.
  const third = open()
  await until(() => resting.length === 3)
  for (const goOn of resting.splice(0)) goOn()
  for (const asking of [staying, third]) {
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    t.equal(answer.resume().statusCode, 200)
  }
  t.equal(rig.asked.length, 2)
  await rig.app.close()
})
