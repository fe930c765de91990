// Against a server on a real socket; time and turns are the test's.
import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { createModelService } from '../../src/upstream/model-service.js'
import { type Script, startUpstream } from '../support/chat-upstream.js'
import { createManualClock, createRecordingLogger } from '../support/embedder-ports.js'
import { until } from '../support/until.js'

/** Turns that come when the test says so. */
function createTurns() {
  const waiting: (() => void)[] = []
  return { waiting, admit: (goOn: () => void) => void waiting.push(goOn), give: () => waiting.shift()?.() }
}

async function open(t: Test, script: Script, admit?: (goOn: () => void) => void) {
  const upstream = await startUpstream(t, script)
  const service = createModelService({
    url: upstream.url,
    apiKey: undefined,
    clock: createManualClock(),
    logger: createRecordingLogger()
  })
  t.teardown(() => service.close())
  const asked = { method: 'POST', path: 'chat/completions', ...(admit !== undefined && { admit }) } as const
  return { upstream, send: () => service.send(asked, new AbortController().signal) }
}

/** Writes each character of `text` as a chunk of its own. */
function writeSingly(response: ServerResponse, text: string): void {
  response.cork()
  for (const character of text) response.write(character)
  response.uncork()
}

async function chunksOf(body: AsyncIterable<Uint8Array>): Promise<string[]> {
  const chunks: string[] = []
  for await (const chunk of body) chunks.push(String(chunk))
  return chunks
}

t.test('an answer in chunks of one byte comes in as few as it was read in, and its connection is used again', async (t) => {
  const text = 'The gate opens at seven. '.repeat(1_000)
  const { upstream, send } = await open(t, ({ response }) => {
    writeSingly(response, text)
    response.end()
  })
  for (let nth = 1; nth <= 2; nth++) {
    const chunks = await chunksOf((await send()).body)
    t.equal(chunks.join(''), text)
    t.ok(chunks.length <= text.length / 100, `${String(chunks.length)} chunks`)
  }
  const [first, second] = upstream.calls.map(({ response }) => response.req.socket)
  t.equal(first, second)
})

t.test('a read of many chunks costs turns before the next one, and one of few costs none', async (t) => {
  const { waiting, admit, give } = createTurns()
  const { upstream, send } = await open(t, ({ response }) => response.write('a'), admit)
  const pieces = (await send()).body[Symbol.asyncIterator]()
  t.equal(String((await pieces.next()).value), 'a')
  const response = upstream.calls[0]?.response as ServerResponse
  let next = pieces.next()
  writeSingly(response, 'b'.repeat(256))
  t.equal(String((await next).value), 'b'.repeat(256))
  response.end()
  next = pieces.next()
  for (let turn = 1; turn <= 2; turn++) {
    await until(() => waiting.length === 1)
    give()
  }
  t.equal((await next).done, true)
})

t.test('of answers in chunks of one byte one is read in an iteration of the event loop', async (t) => {
  const BODIES = 12
  const started: ServerResponse[] = []
  const { send } = await open(t, ({ response }) => {
    started.push(response)
    if (started.length < BODIES) return
    for (const one of started) {
      writeSingly(one, 'a'.repeat(60_000))
      one.end()
    }
  })
  const answers = await Promise.all(Array.from({ length: BODIES }, send))
  let iteration = 0
  let counting = setImmediate(count)
  function count(): void {
    iteration += 1
    counting = setImmediate(count)
  }
  t.teardown(() => clearImmediate(counting))
  const readIn = new Map<number, number>()
  await Promise.all(
    answers.map(async ({ body }) => {
      for await (const chunk of body) if (chunk.byteLength > 1_000) readIn.set(iteration, (readIn.get(iteration) ?? 0) + 1)
    })
  )
  t.ok(readIn.size > BODIES, 'each is read several times')
  t.ok(Math.max(...readIn.values()) <= 2, `${String(Math.max(...readIn.values()))} were read at once`)
})

t.test('what is read costs turns by its bytes, also those that are no part of the answer', async (t) => {
  const { waiting, admit, give } = createTurns()
  const { send } = await open(
    t,
    ({ response }) => {
      const extension = 'x'.repeat(8 * 1_024)
      response.socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      response.socket?.write(`${`1;${extension}\r\na\r\n`.repeat(32)}0\r\n\r\n`)
    },
    admit
  )
  const body = (await send()).body
  let turns = 0
  const giving = setInterval(() => waiting.length > 0 && void (give(), (turns += 1)))
  t.teardown(() => clearInterval(giving))
  t.equal((await chunksOf(body)).join(''), 'a'.repeat(32))
  t.ok(turns >= 2, `${String(turns)} turns for 256 KiB, of which the first come with the headers`)
})

t.test('a connection that changes its protocol is a failure at once', async (t) => {
  const { send } = await open(t, ({ response }) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: odd\r\n\r\n')
  })
  await t.rejects(send(), { code: 'upstream_unavailable', message: 'The model service cannot be reached' })
})

t.test('a status that no answer may have is a failure of the model service', async (t) => {
  for (const status of [101, 600, 999]) {
    const { upstream, send } = await open(t, ({ response }) =>
      response.socket?.write(`HTTP/1.1 ${status} Odd\r\ncontent-length: 1\r\n\r\nx`)
    )
    await t.rejects(send(), { code: 'upstream_unavailable', message: `The model service answered with an unknown status (${status})` })
    await upstream.calls[0]?.closed
  }
})
