/** Memory for work that bodies hold while they arrive, over real connections. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import { totalOf } from '../../../src/domain/fairness/weight.js'
import type { Processor } from '../../../src/http/contract/contracts.js'
import type { Http } from '../../../src/http/contract/typed-http.js'
import { registerErrorHandler } from '../../../src/http/contract/errors.js'
import { registerMemoryShares } from '../../../src/http/plugins/memory-shares.js'
import { yieldToEventLoop } from '../../../src/platform/event-loop.js'
import { createManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

/** Milliseconds, longer than any test. */
const NEVER_MS = 600_000

/** Starts a server that takes the subject from a header and answers with the length of the body. */
async function start(t: Test, workBytes: number, admit: Processor['admit'] = (_subject, goOn) => goOn()) {
  const all = { heap: Infinity, total: Infinity }
  const work = { heap: workBytes, total: workBytes }
  const budget = createNodeBudget({ clock: createManualClock(), counters: { count: () => undefined }, isDurable: true, actors: all, work })
  const app = Fastify({ bodyLimit: 1_000_000 }) as unknown as Http
  app.decorateRequest('subject', '')
  registerErrorHandler(app)
  app.addHook('onRequest', (request, _reply, done) => {
    request.subject = String(request.headers['x-subject'])
    done()
  })
  registerMemoryShares(app, budget, { connectionTimeoutMs: NEVER_MS, yieldToEventLoop, admit })
  let pieces = 0
  app.addHook('preParsing', (_request, _reply, payload, done) => {
    payload.on('data', () => (pieces += 1))
    done(null, payload)
  })
  app.post('/', async ({ body }) => ({ length: (body as string).length, held: held() }))
  let unread = 0
  app.get('/', async (_request, { raw }) => {
    unread += 1
    await once(raw, 'close')
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const held = (): number => budget.held().reduce((sum, { weight }) => sum + totalOf(weight), 0)
  const open = async (
    subject: string,
    framing: string,
    text: string,
    method = 'POST'
  ): Promise<{ socket: Socket; received: () => string }> => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    let received = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    await once(socket, 'connect')
    socket.write(
      `${method} / HTTP/1.1\r\nhost: localhost\r\nx-subject: ${subject}\r\ncontent-type: application/json\r\n${framing}\r\n\r\n${text}`
    )
    return { socket, received: () => received }
  }
  return { held, open, unread: () => unread, pieces: () => pieces }
}

const jsonOf = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2))

t.test('of long bodies that come slowly what has come counts, and others are answered', async (t) => {
  const { held, open } = await start(t, 1_000_000)
  const slow = []
  for (let at = 0; at < 40; at++) slow.push(await open(`s${String(at % 2)}`, 'content-length: 80000', '"x'))
  await until(() => held() === 80)
  const body = jsonOf(50_000)
  const { received } = await open('victim', `content-length: ${String(body.length)}`, body)
  await until(() => received().includes('}'))
  t.match(received(), /200 OK[^]*\{"length":49998,"held":450080\}/, 'one that is whole counts nine times')
  await until(() => held() === 80)
  slow.forEach(({ socket }) => socket.destroy())
  await until(() => held() === 0)
})

t.test('a body of up to 16 KiB counts nine times before it has come, a longer one only what has come', async (t) => {
  const { held, open } = await start(t, 1_000_000)
  const short = await open('anna', 'content-length: 16384', '"x')
  await until(() => held() === 9 * 16_384)
  const long = await open('bob', 'content-length: 16385', '"xy')
  await until(() => held() === 9 * 16_384 + 3)
  const none = await open('carl', 'content-length: 0', '')
  await until(() => none.received().includes('HTTP/1.1'))
  t.equal(held(), 9 * 16_384 + 3, 'and none holds nothing')
  for (const { socket } of [short, long]) socket.destroy()
  await until(() => held() === 0)
})

t.test('a body that does not say its length counts as it comes, and is refused for good once it can never fit', async (t) => {
  const { held, open } = await start(t, 300_000)
  const piece = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`
  const { socket, received } = await open('anna', 'transfer-encoding: chunked', piece)
  await until(() => held() === 10_000)
  socket.write(piece)
  await until(() => held() === 20_000)
  for (let at = 0; at < 40; at++) socket.write(piece)
  await until(() => received().includes('SERVICE_MEMORY_LIMIT_MB'))
  t.match(received(), /^HTTP\/1\.1 413/)
  await until(() => held() === 0)
})

t.test('a body that comes in chunks of one byte is kept in few', async (t) => {
  const { open, pieces } = await start(t, 1_000_000)
  const { received } = await open('anna', 'transfer-encoding: chunked', `1\r\n"\r\n${'1\r\nx\r\n'.repeat(20_000)}1\r\n"\r\n0\r\n\r\n`)
  await until(() => received().includes('{"length":20000'))
  t.equal(pieces(), 2)
})

t.test('a body that fits while it comes and never with what is made of it is refused for good when it is whole', async (t) => {
  const { held, open } = await start(t, 300_000)
  const body = jsonOf(90_000)
  const { received } = await open('anna', 'transfer-encoding: chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
  await until(() => received().includes('SERVICE_MEMORY_LIMIT_MB'))
  t.match(received(), /^HTTP\/1\.1 413/)
  await until(() => held() === 0)
})

t.test('a body that says more than there ever is room for is refused for good before it comes', async (t) => {
  const { held, open } = await start(t, 300_000)
  const { received } = await open('anna', 'content-length: 90000', '')
  await until(() => received().includes('SERVICE_MEMORY_LIMIT_MB'))
  t.match(received(), /^HTTP\/1\.1 413/)
  t.notMatch(received(), /retry-after/i, 'a retry would change nothing')
  t.equal(held(), 0)
})

t.test('a body that fits only without what others send now is refused until they are done', async (t) => {
  const { held, open } = await start(t, 300_000)
  const piece = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`
  const { socket } = await open('bob', 'transfer-encoding: chunked', piece.repeat(3))
  await until(() => held() === 150_000)
  const body = jsonOf(20_000)
  const refused = await open('anna', `content-length: ${String(body.length)}`, '')
  await until(() => refused.received().includes('SERVICE_MEMORY_LIMIT_MB'))
  t.match(refused.received(), /^HTTP\/1\.1 503[^]*retry-after: 1/i)
  socket.destroy()
  await until(() => held() === 0)
  const { received } = await open('anna', `content-length: ${String(body.length)}`, body)
  await until(() => received().includes('}'))
  t.match(received(), /200 OK/)
})

t.test('a body that is longer than any may be is refused, and holds nothing', async (t) => {
  const { held, open } = await start(t, 100_000_000)
  const piece = `${(60_000).toString(16)}\r\n${'x'.repeat(60_000)}\r\n`
  const { received } = await open('anna', 'transfer-encoding: chunked', piece.repeat(20))
  await until(() => received().includes('413'))
  await until(() => held() === 0)
})

t.test('a long body of a subject that rests is not read on until it may go on, and that of another is', async (t) => {
  const resting: (() => void)[] = []
  const { held, open } = await start(t, 100_000_000, (subject, goOn) => {
    if (subject === 'busy') resting.push(goOn)
    else goOn()
  })
  const body = jsonOf(900_000)
  const busy = await open('busy', `content-length: ${String(body.length)}`, body)
  await until(() => resting.length === 1)
  const read = held()
  t.ok(read > 0 && read <= 65_536, `${String(read)} bytes were read`)
  const other = await open('other', `content-length: ${String(body.length)}`, body)
  await until(() => other.received().includes('200 OK'))
  await until(() => held() === read)
  t.equal(resting.length, 1, 'nothing more was read meanwhile')
  let turns = 0
  await until(() => {
    for (const goOn of resting.splice(0)) {
      turns += 1
      goOn()
    }
    return busy.received().includes('200 OK')
  })
  t.ok(turns >= 900_000 / 65_536, `${String(turns)} turns`)
})

t.test('a body that its route does not read: breaks off, is no HTTP or has no room, and the service goes on', async (t) => {
  const { held, open, unread } = await start(t, 300_000)
  const cut = await open('anna', 'content-length: 20000', 'x', 'GET')
  await until(() => held() === 1)
  cut.socket.destroy()
  const broken = await open('anna', 'transfer-encoding: chunked', '1\r\nx\r\n', 'GET')
  await until(() => unread() === 2)
  broken.socket.write('nonsense\r\n')
  const large = await open('anna', 'transfer-encoding: chunked', `${(900_000).toString(16)}\r\n${'x'.repeat(900_000)}`, 'GET')
  await until(() => unread() === 3)
  await until(() => held() === 0)
  large.socket.destroy()
  const { received } = await open('anna', 'content-length: 3', '"x"')
  await until(() => received().includes('{"length":1'))
})
