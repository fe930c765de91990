/** Debug events through the client: each once and in order, across broken connections and a restart of the service. */
import t, { type Test } from 'tap'
import { generateKeyPair } from '../../src/auth/license-signing.js'
import type { DebugGap } from '../../src/client/debug.js'
import { createEngram } from '../../src/client/engram.js'
import type { DebugEvent } from '../../src/client/optional-surfaces.js'
import type { Fetch } from '../../src/client/requests.js'
import { listen } from '../support/listening-service.js'

const ENV = { SERVICE_DEBUG_UI: '1', SERVICE_DEBUG_TRACE: '1' }

/** Reads events until `isDone`. Returns the events read. */
async function untilSeen(events: AsyncIterable<DebugEvent | DebugGap>, isDone: (seen: readonly (DebugEvent | DebugGap)[]) => boolean) {
  const seen: (DebugEvent | DebugGap)[] = []
  for await (const event of events) {
    seen.push(event)
    if (isDone(seen)) return seen
  }
  throw new Error('The events ended')
}

const seqOf = (event: DebugEvent | DebugGap): number => ('seq' in event ? event.seq : 0)

async function start(t: Test) {
  const service = await listen(t, { env: ENV })
  const token = await service.token('alice')
  return { service, token, engram: createEngram({ url: service.url, token }) }
}

/** Breaks streams: the first after `bytes`, each further one after that many more. */
function breaking(bytes: number) {
  const counts = { connections: 0 }
  const fetchBroken: Fetch = async (request) => {
    const response = await fetch(request)
    if (!new URL(request.url).pathname.endsWith('/stream') || response.body === null) return response
    counts.connections += 1
    let left = bytes * counts.connections
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left))
        left -= chunk.length
        if (left < 0) controller.error(new Error('cut'))
      }
    })
    return new Response(response.body.pipeThrough(cut), response)
  }
  return { fetch: fetchBroken, counts }
}

t.test('events go on over connections that break at any byte, none lost and none twice', async (t) => {
  const { service, token, engram } = await start(t)
  const turns = 4
  const broken = breaking(1_500)
  const connections: boolean[] = []
  const onConnection = (isOpen: boolean) => void connections.push(isOpen)
  const events = createEngram({ url: service.url, token, fetch: broken.fetch }).debug.events({ since: 0, onConnection })
  const following = untilSeen(events, (seen) => seen.filter(({ kind }) => kind === 'turn.finished').length === turns)
  for (let turn = 1; turn <= turns; turn++) await engram.session('s').run({ message: `Turn ${String(turn)} about goats` })
  const seen = await following
  t.same(
    connections,
    Array.from({ length: 2 * broken.counts.connections - 1 }, (_, at) => at % 2 === 0),
    'each connection, and each that was lost'
  )
  const { events: kept } = await engram.debug.recent({ since: 0 })
  const last = seqOf(seen.at(-1) as DebugEvent)
  t.same(
    seen.map(seqOf),
    kept.map(({ seq }) => seq).filter((seq) => seq <= last)
  )
  t.ok(broken.counts.connections > 2, `${String(broken.counts.connections)} connections`)
})

t.test('without a place events begin now', async (t) => {
  const { engram } = await start(t)
  await engram.session('s').run({ message: 'before' })
  const { last_seq } = await engram.debug.recent()
  const events = engram.debug.events()
  const first = events.next()
  await engram.session('s').run({ message: 'after' })
  const { value } = await first
  t.equal(seqOf(value as DebugEvent), last_seq + 1)
  await events.return()
})

t.test('a service that starts anew is told as a gap, and its events come from their beginning', async (t) => {
  const keys = generateKeyPair()
  const first = await listen(t, { env: ENV, keys })
  const token = await first.token('alice')
  const engram = createEngram({ url: first.url, token })
  for (const message of ['one', 'two', 'three']) await engram.session('s').run({ message })
  const { last_seq } = await engram.debug.recent()
  const events = engram.debug.events({ since: last_seq - 1 })
  t.equal(seqOf((await events.next()).value as DebugEvent), last_seq)
  const next = events.next()
  await first.close()
  const second = await listen(t, { env: ENV, keys, port: first.port })
  t.same((await next).value, { kind: 'gap', missed: null })
  await createEngram({ url: second.url, token }).session('s').run({ message: 'anew' })
  t.equal(seqOf((await events.next()).value as DebugEvent), 1)
  await events.return()
})

t.test('events end where one is none of the interface', async (t) => {
  const { service, token } = await start(t)
  const fetchOther: Fetch = async (request) =>
    new URL(request.url).pathname.endsWith('/stream') ? new Response('data: <html>\n\n') : fetch(request)
  const events = createEngram({ url: service.url, token, fetch: fetchOther }).debug.events({ since: 0 })
  await t.rejects(events.next(), { name: 'EngramError', kind: 'unexpected' })
})

t.test('events end with their signal, and where there is no debugger', async (t) => {
  const { engram } = await start(t)
  const controller = new AbortController()
  const next = engram.debug.events({ signal: controller.signal }).next()
  controller.abort()
  await t.rejects(next, { name: 'EngramError', kind: 'aborted' })
  const plain = await listen(t)
  await t.rejects(
    createEngram({ url: plain.url, token: await plain.token('alice') })
      .debug.events()
      .next(),
    { name: 'EngramError', kind: 'not_found' }
  )
})
