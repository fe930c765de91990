// The chat proxy as its callers see it: streamed answers over real sockets.
import { once } from 'node:events'
import { get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { beginStream, type ChatService, chunk, DONE, event, type Script, startChat, streamed } from '../../support/chat-upstream.js'
import { until } from '../../support/until.js'

const QUESTION = 'Which harbour did the lighthouse keeper paint?'
const PIECES = ['He painted ', 'the öld harbour ', 'of Whitby 🌊.']
const ANSWER = PIECES.join('')
const BODY = { model: 'm', stream: true as const, messages: [{ role: 'user' as const, content: QUESTION }] }
const ASKED = `user: ${QUESTION}`
const STORED = [ASKED, `assistant: ${ANSWER}`]

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Sends a chat request and leaves its answer for the test to read. */
async function open(chat: ChatService, sessionId: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${chat.alice.token}`, 'content-type': 'application/json', 'x-session-id': sessionId }
  const asking = request(`${chat.url}/compat/v1/chat/completions`, { method: 'POST', headers, agent: false })
  asking.end(JSON.stringify(BODY))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  return response
}

async function chatOf(t: Test, write: (response: ServerResponse) => void): Promise<ChatService> {
  const script: Script = ({ response }) => write(beginStream(response))
  return startChat(t, script)
}

t.test('a stream arrives piece by piece and is in the memory when it has ended', async (t) => {
  const chat = await chatOf(t, (response) => response.end(streamed(PIECES)))
  const { data, response } = await chat.client.chat.completions.create(BODY, { headers: { 'x-session-id': 's' } }).withResponse()
  t.equal(response.headers.get('x-session-id'), 's')
  t.match(response.headers.get('content-type'), 'text/event-stream')
  t.equal(response.headers.get('x-accel-buffering'), 'no', 'gateways pass it on as it comes')
  const pieces: string[] = []
  for await (const { choices } of data) pieces.push(choices[0]?.delta.content ?? '')
  t.strictSame(pieces, [...PIECES, ''])
  t.strictSame(await chat.memories('s'), STORED)
  t.match(chat.upstream.body(1), { stream: true })
  t.notMatch(chat.logs.join(''), /Whitby/)
})

t.test('a stream without a session makes one and names it before its first byte', async (t) => {
  let finish = (): void => undefined
  const chat = await chatOf(t, (response) => {
    response.write(chunk('He'))
    finish = () => response.end(streamed([' painted it.']))
  })
  const response = await chat.post(BODY)
  const sessionId = response.headers.get('x-session-id') ?? ''
  t.strictSame(await chat.memories(sessionId), [ASKED])
  finish()
  await response.text()
  t.strictSame(await chat.memories(sessionId), [ASKED, 'assistant: He painted it.'])
})

t.test('the bytes of a stream are those of the upstream, whatever they are and however they are cut', async (t) => {
  const odd = `\ufeff: hello\r\n\r\nevent: x\r\ndata: {"choices":\r\ndata: []}\r\n\r\nretry: 5\n\n${streamed(PIECES).replaceAll('\n', '\r')}`
  const bytes = Buffer.from(odd)
  const chat = await chatOf(t, (response) => {
    response.socket?.setNoDelay(true)
    for (const byte of bytes) response.write(Buffer.of(byte))
    response.end()
  })
  const response = await open(chat, 's')
  const chunks: Buffer[] = []
  for await (const piece of response) chunks.push(piece as Buffer)
  t.ok(Buffer.concat(chunks).equals(bytes))
  t.strictSame(await chat.memories('s'), STORED)
})

t.test('a reader that does not read holds the upstream up, and all of it arrives once it reads', async (t) => {
  const piece = chunk('x'.repeat(50_000))
  const count = 1_000
  let written = 0
  const chat = await chatOf(t, (response) => {
    const write = (): void => {
      while (written < count) {
        written += 1
        if (!response.write(piece)) return void response.once('drain', write)
      }
      response.end(DONE)
    }
    write()
  })
  const response = await open(chat, 's')
  for (let quiet = 0, last = -1; quiet < 200; quiet++) {
    if (written !== last) quiet = 0
    last = written
    await yieldToEventLoop()
  }
  t.ok(written < count / 2, `${written} of ${count}`)
  let bytes = 0
  for await (const part of response) bytes += (part as Buffer).length
  t.equal(bytes, count * Buffer.byteLength(piece) + DONE.length)
  t.strictSame(await chat.memories('s'), [ASKED], 'more than a memory holds')
})

t.test('a client that goes away ends the call of the upstream at once, and nothing is kept of it', async (t) => {
  for (const stage of ['before the answer', 'between two pieces'] as const) {
    const chat = await startChat(t, ({ response }) => {
      if (stage === 'between two pieces') beginStream(response).write(chunk('He painted '))
    })
    const controller = new AbortController()
    const asking = chat.client.chat.completions.create(BODY, { headers: { 'x-session-id': 's' }, signal: controller.signal })
    if (stage === 'between two pieces') {
      for await (const { choices } of await asking) {
        t.equal(choices[0]?.delta.content, 'He painted ')
        break
      }
    } else {
      await until(() => chat.upstream.calls.length === 1)
      controller.abort()
      await t.rejects(asking)
    }
    await chat.upstream.calls[0]?.closed
    t.equal(chat.upstream.calls[0]?.response.writableFinished, false, stage)
    t.strictSame(await chat.memories('s'), [ASKED], stage)
    t.notMatch(chat.logs.join(''), /"level":(50|60)/)
    const status = stage === 'before the answer' ? 499 : 200
    await until(() => chat.logs.some((line) => line.includes(`"endpoint":"/compat/v1/chat/completions","status":${status}`)))
  }
})

t.test('an answer is kept when its client goes away once it is whole', async (t) => {
  const chat = await chatOf(t, (response) => response.write(PIECES.map((piece) => chunk(piece)).join('') + chunk(null, 'stop')))
  const response = await open(chat, 's')
  await once(response, 'data')
  response.destroy()
  await until(async () => (await chat.memories('s')).length === 2)
  t.strictSame(await chat.memories('s'), STORED)
})

t.test('an answer that is not whole leaves the session as it was asked', async (t) => {
  const [first = '', second = ''] = PIECES.map((piece) => chunk(piece))
  const cases: [name: string, write: (response: ServerResponse) => void, isWhole: boolean][] = [
    ['ends without a reason', (response) => response.end(first + second), true],
    ['breaks off', (response) => response.write(first, () => response.destroy()), true],
    ['breaks off in an event', (response) => response.write(first + second.slice(0, 40), () => response.destroy()), false],
    [
      'sends an error',
      (response) => response.end(first + event({ error: { message: 'overloaded' } }) + second + chunk(null, 'stop') + DONE),
      true
    ],
    ['names an error', (response) => response.end(`${first}event: error\ndata: {"message":"x"}\n\n${chunk(null, 'stop')}${DONE}`), true],
    ['sends garbage', (response) => response.end(`${first}data: {"choices":[{"in\n\n${chunk(null, 'stop')}${DONE}`), true],
    ['sends no events', (response) => response.end(Buffer.from([0, 255, 10, 13, 10, 10, 58, 200])), true],
    ['calls a tool', (response) => response.end(first + chunk(null, 'tool_calls') + DONE), true],
    ['is withheld', (response) => response.end(first + chunk(null, 'content_filter') + DONE), true],
    ['is empty', (response) => response.end(chunk('') + chunk(null, 'stop') + DONE), true],
    ['is nothing', (response) => response.end(), true],
    ['is another choice', (response) => response.end(chunk('x', 'stop', 1)), true]
  ]
  let current = cases[0]
  const chat = await chatOf(t, (response) => current?.[1](response))
  for (current of cases) {
    const [name, , isWhole] = current
    const read = (async () => (await chat.post(BODY, { headers: { 'x-session-id': 's' } })).text())()
    if (isWhole) await read
    else await t.rejects(read, name)
    t.strictSame(await chat.memories('s'), [ASKED], name)
  }
  current = ['at last', (response) => response.end(streamed(PIECES)), true]
  await (await chat.post(BODY, { headers: { 'x-session-id': 's' } })).text()
  t.strictSame(await chat.memories('s'), STORED)
  const run = await chat.alice.post('/v1/run', { session_id: 's', message: QUESTION })
  t.match(run.body, { short_circuit: true })
})

t.test('an answer that ends without [DONE] or without its last empty line is kept', async (t) => {
  const pieces = PIECES.map((piece) => chunk(piece)).join('')
  const endings = [chunk(null, 'stop'), chunk(null, 'length').trimEnd(), 'data: [DONE]', `${chunk(null, 'stop')}data: [DO`]
  let ending = ''
  const chat = await chatOf(t, (response) => response.end(pieces + ending))
  for (const [at, each] of endings.entries()) {
    ending = each
    await (await chat.post(BODY, { headers: { 'x-session-id': `s${at}` } })).text()
    t.strictSame(await chat.memories(`s${at}`), STORED, each)
  }
})

t.test('of several choices the first one is stored', async (t) => {
  const mixed = PIECES.map((piece) => chunk('x', null, 1) + chunk(piece)).join('') + chunk(null, 'stop', 1) + chunk(null, 'stop')
  const chat = await chatOf(t, (response) => response.end(mixed + event({ choices: [], usage: { total_tokens: 5 } }) + DONE))
  await (await chat.post({ ...BODY, n: 2, session_id: 's' })).text()
  t.strictSame(await chat.memories('s'), STORED)
})

t.test(
  'an upstream that breaks off before its first piece is told as a failure; one that streams unasked, or answers in one piece, is passed on',
  async (t) => {
    const whole = JSON.stringify({ choices: [{ index: 0, message: { content: ANSWER }, finish_reason: 'stop' }] })
    const chat = await startChat(t, ({ response }, nth) => {
      if (nth === 1) beginStream(response).write('', () => response.flushHeaders())
      if (nth === 1) response.destroy()
      else if (nth === 2) beginStream(response).end(streamed(PIECES))
      else if (nth === 3) response.writeHead(200, { 'content-type': 'application/json' }).end(whole)
      else response.writeHead(200).end(streamed(PIECES))
    })
    const ask = async (session_id: string, stream: boolean) => {
      const response = await chat.post({ ...BODY, stream, session_id })
      return [response.status, await response.text()] as const
    }
    const [status, text] = await ask('first', true)
    t.equal(status, 503)
    t.match(JSON.parse(text), { error: { code: 'upstream_unavailable', type: 'server_error' } })
    t.strictSame(await ask('unasked', false), [200, streamed(PIECES)])
    t.strictSame(await ask('one-piece', true), [200, whole])
    t.strictSame(await ask('untyped', true), [200, streamed(PIECES)])
    for (const id of ['unasked', 'one-piece', 'untyped']) t.strictSame(await chat.memories(id), STORED, id)
  }
)

t.test('each answer belongs to its own question when one session has several streams at the same time', async (t) => {
  const answers: Record<string, string> = {
    'Who keeps the bees?': 'Agnes keeps them.',
    'When is the harbour dredged?': 'Every second spring.'
  }
  const waiting: (() => void)[] = []
  const chat = await startChat(t, ({ text, response }) => {
    const asked = Object.keys(answers).find((question) => text.includes(`"role":"user","content":"${question}"`)) ?? ''
    beginStream(response)
    waiting.push(() => response.end(streamed([answers[asked] ?? ''])))
  })
  const asking = Object.keys(answers).map((content) =>
    chat.post({ ...BODY, session_id: 's', messages: [{ role: 'user', content }] }).then((response) => response.text())
  )
  await until(() => waiting.length === 2)
  for (const finish of waiting) finish()
  await Promise.all(asking)
  for (const [question, expected] of Object.entries(answers)) {
    const { body } = await chat.alice.post('/v1/run', { session_id: 's', message: question })
    t.match(body, { short_circuit: true, context: `Q: ${question} A: ${expected}` })
  }
})

t.test('a service that closes reads a stream under way to its end, and the connection ends with it', async (t) => {
  let finish = (): void => undefined
  const chat = await chatOf(t, (response) => {
    response.write(chunk(PIECES[0] ?? ''))
    finish = () => response.end(streamed(PIECES.slice(1)))
  })
  const response = await open(chat, 's')
  const closing = chat.close()
  await new Promise<void>((resolve) => {
    const probe = (): void => {
      get(`${chat.url}/v1/health`, { agent: false }, (answer) => answer.resume().on('end', probe)).on('error', () => resolve())
    }
    probe()
  })
  finish()
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece as string
  t.match(text, '[DONE]')
  await closing
})
