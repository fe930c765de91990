/** What Node.js refuses or lets through by itself, over real connections: who gets an answer, in which order, and how many. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createRig, type Rig } from '../../support/http-rig.js'
import { until } from '../../support/until.js'

const NONSENSE = 'nonsense\r\n\r\n'
const HEALTH = 'GET /v1/health HTTP/1.1\r\nhost: x\r\n'
const CHUNKS = 'transfer-encoding: chunked\r\n\r\n'

interface Client {
  readonly socket: Socket
  readonly received: () => string
  /** Status and body of each answer so far. */
  readonly answers: () => string[]
}

async function open(t: Test, rig: Rig, bytes: string): Promise<Client> {
  const socket = connect((rig.app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  await once(socket, 'connect')
  socket.write(bytes)
  const answers = (): string[] =>
    text.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => `${answer.slice(9, 12)} ${answer.split('\r\n\r\n')[1]}`)
  return { socket, received: () => text, answers }
}

/** Starts a server whose runs wait for `goOn`. */
async function start(t: Test) {
  let begun = 0
  let goOn: () => void = () => undefined
  const released = new Promise<void>((resolve) => (goOn = resolve))
  const rig = await createRig({
    intercept: async ({ type }) => {
      if (type !== 'session.run') return
      begun += 1
      await released
    }
  })
  await rig.app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => rig.app.close())
  const authorization = `authorization: Bearer ${await rig.token('alice')}\r\n`
  const run = `POST /v1/run HTTP/1.1\r\nhost: x\r\n${authorization}content-type: application/json\r\ncontent-length: 15\r\n\r\n{"message":"x"}`
  return { rig, run, goOn, begun: () => begun }
}

const MALFORMED = '400 {"detail":"Malformed HTTP request"}'

t.test('nonsense on a connection that was served before: gets its 400', async (t) => {
  const { rig } = await start(t)
  const { socket, answers } = await open(t, rig, `${HEALTH}\r\n`)
  await until(() => answers()[0]?.endsWith('}') === true)
  socket.write(NONSENSE)
  await once(socket, 'close')
  t.equal(answers().length, 2)
  t.equal(answers()[1], MALFORMED)
})

t.test('nonsense behind whole requests: these get their answers, and then it gets its own', async (t) => {
  for (const [what, refusal] of [
    [NONSENSE, MALFORMED],
    ['CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', '405 {"detail":"Method Not Allowed"}'],
    [`${HEALTH}x-large: ${'x'.repeat(70_000)}\r\n\r\n`, '431 {"detail":"Request header fields too large"}']
  ] as const) {
    const { rig, run, goOn, begun } = await start(t)
    const { socket, received, answers } = await open(t, rig, run.repeat(3) + what)
    await until(() => begun() === 3)
    socket.write(NONSENSE)
    t.equal(received(), '', 'nothing before the first is answered')
    goOn()
    await once(socket, 'close')
    t.strictSame(
      answers().map((answer) => answer.slice(0, 3)),
      ['200', '200', '200', refusal.slice(0, 3)]
    )
    t.equal(answers()[3], refusal)
  }
})

t.test('a body that is no HTTP: one answer, also where the request has its answer already', async (t) => {
  const { rig, run, goOn, begun } = await start(t)
  const cases = [
    [`POST /v1/run HTTP/1.1\r\nhost: x\r\n${CHUNKS}`, '401'],
    [`${HEALTH}${CHUNKS}`, '200'],
    [`POST /v1/session/%/search HTTP/1.1\r\nhost: x\r\n${CHUNKS}`, '400'],
    [`${HEALTH}expect: foo\r\n${CHUNKS}`, '417']
  ] as const
  for (const [head, status] of cases) {
    const { socket, answers } = await open(t, rig, head)
    await until(() => answers()[0]?.endsWith('}') === true)
    if (!socket.closed) {
      socket.write(NONSENSE)
      await once(socket, 'close')
    }
    t.strictSame(
      answers().map((answer) => answer.slice(0, 3)),
      [status],
      head
    )
  }
  const { socket, answers } = await open(t, rig, `${run}${HEALTH}${CHUNKS}`)
  await until(() => begun() === 1)
  await rig.get('/v1/health')
  socket.write(NONSENSE)
  const unanswered = await open(t, rig, `${run}${run.replace(/content-length.*$/s, `${CHUNKS}${NONSENSE}`)}`)
  await until(() => begun() === 2)
  goOn()
  await once(socket, 'close')
  t.strictSame(
    answers().map((answer) => answer.slice(0, 3)),
    ['200', '200']
  )
  if (!unanswered.socket.closed) await once(unanswered.socket, 'close')
  t.match(unanswered.answers()[0], /^200 /)
  t.equal(unanswered.answers()[1], MALFORMED)
})

t.test('a thousand header lines are read, and more are refused: Node.js would leave some out', async (t) => {
  const { rig } = await start(t)
  const withLines = (count: number, last: string): string =>
    `${HEALTH}connection: close\r\n${'a: b\r\n'.repeat(count - 2 - last.split('\r\n').length)}${last}\r\n\r\n`
  for (const [count, last, status] of [
    [1_000, 'a: b', 200],
    [1_001, 'a: b', 431],
    [1_024, 'a: b', 431],
    [1_025, 'a: b', 431],
    [2_100, 'host: y', 431],
    [2_100, 'content-encoding: gzip', 431],
    [2_100, 'transfer-encoding: gzip, chunked\r\n\r\n0', 431]
  ] as const) {
    const { socket, answers } = await open(t, rig, withLines(count, last))
    await once(socket, 'close')
    t.match(answers()[0], new RegExp(`^${String(status)} `), `${String(count)} lines, the last ${last}`)
    if (status === 431) t.equal(answers()[0], '431 {"detail":"Request header fields too large: at most 1000 lines"}')
  }
})

t.test('other versions that Node.js parses are refused', async (t) => {
  const { rig } = await start(t)
  for (const version of ['0.9', '2.0']) {
    const { socket, answers } = await open(t, rig, `GET /v1/health HTTP/${version}\r\nhost: x\r\n\r\n`)
    await once(socket, 'close')
    t.strictSame(answers(), ['400 {"detail":"Malformed HTTP request: only HTTP/1.0 and HTTP/1.1 are supported"}'])
  }
})

t.test('a path that cannot be read: has an id, and is logged as any other', async (t) => {
  const { rig } = await start(t)
  for (const [target, endpoint] of [
    ['/v1/session/%/days', '/v1/session/{session_id}/days'],
    ['/%zz', 'unmatched'],
    ['http://x:99999/v1/health', 'unmatched']
  ] as const) {
    const { socket, received, answers } = await open(t, rig, `GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await until(() => answers()[0]?.endsWith('}') === true)
    socket.destroy()
    t.strictSame(answers(), ['400 {"detail":"The path is not valid percent-encoded UTF-8"}'])
    const [, id = ''] = /^x-request-id: (.+)\r$/m.exec(received()) ?? []
    t.ok(id)
    const lines = rig.logs.filter((line) => line.includes(id))
    t.equal(lines.length, 1)
    t.match(JSON.parse(lines[0] ?? '{}'), { method: 'GET', endpoint, status: 400, msg: 'request completed' })
  }
})

t.test('a client that asks before it sends its body: invited once somebody reads it, and refused without it', async (t) => {
  const { rig, run, goOn } = await start(t)
  goOn()
  const [head = '', body = ''] = run.replace('content-length', 'expect: 100-continue\r\ncontent-length').split(/(?<=\r\n\r\n)/)
  const invited = await open(t, rig, head)
  await until(() => invited.received().startsWith('HTTP/1.1 100 '))
  t.equal(invited.received(), 'HTTP/1.1 100 Continue\r\n\r\n')
  invited.socket.write(body)
  await until(() => invited.answers()[1]?.endsWith('}') === true)
  t.match(invited.answers()[1], /^200 /)

  const refused: [string, string][] = [
    [head.replace('Bearer ', 'Bearer x'), '401'],
    [head.replace(/authorization.*\r\n/, ''), '401'],
    [head.replace('content-length: 15', 'content-length: 999999999'), '413'],
    [head.replace('/v1/run', '/v1/nothing'), '404']
  ]
  for (const [request, status] of refused) {
    const { socket, received } = await open(t, rig, request)
    await once(socket, 'close')
    t.match(received(), new RegExp(`^HTTP/1.1 ${status} [^]*\\r\\nconnection: close\\r\\n`, 'i'), `${status} at once, and no 100`)
  }
})
