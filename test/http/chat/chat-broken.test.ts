// Answers that break off, and answers in another form than requested.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { beginStream, chunk, completion, startChat, streamed } from '../../support/chat-upstream.js'

const QUESTION = 'Which harbour did the lighthouse keeper paint?'
const PIECES = ['He painted ', 'the old harbour ', 'of Whitby.']
const ANSWER = PIECES.join('')
const BODY = { model: 'm', stream: true as const, messages: [{ role: 'user' as const, content: QUESTION }] }
const ASKED = `user: ${QUESTION}`
const STORED = [ASKED, `assistant: ${ANSWER}`]

t.test('a stream that breaks off is an error of the official client, by its status where nothing has come', async (t) => {
  let sent = ''
  const chat = await startChat(t, ({ response }) => {
    beginStream(response)
    if (sent === '') response.flushHeaders()
    response.write(sent, () => response.destroy())
  })
  const pieces: string[] = []
  const read = async () => {
    const stream = await chat.client.chat.completions.create(BODY, { headers: { 'x-session-id': 's' } })
    for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '')
  }
  const failure = { type: 'server_error', code: 'upstream_unavailable', param: null, message: /The model service broke off/ }
  await t.rejects(read(), { status: 503, ...failure })
  sent = `: thinking\r\n\r\n${chunk('He ')}`
  await t.rejects(read(), { name: 'Error', status: undefined, ...failure })
  t.strictSame(pieces, ['He '])
  sent += 'data: {"cho'
  await t.rejects(read(), { message: 'terminated' }, 'within an event nothing can be told')
  t.strictSame(await chat.memories('s'), [ASKED])
})

t.test('an answer that the upstream compresses unasked arrives and is kept', async (t) => {
  const chat = await startChat(t, ({ response, text }) => {
    const isStream = (JSON.parse(text) as { stream?: boolean }).stream === true
    const type = isStream ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' })
    response.end(gzipSync(isStream ? streamed(PIECES) : JSON.stringify(completion(ANSWER))))
  })
  for (const sessionId of ['streamed', 'whole']) {
    const response = await chat.post({ ...BODY, stream: sessionId === 'streamed' }, { headers: { 'x-session-id': sessionId } })
    t.equal(response.headers.get('content-encoding'), null)
    t.match(await response.text(), 'Whitby')
    t.strictSame(await chat.memories(sessionId), STORED, sessionId)
  }
})

t.test('of an answer above 32 MiB that is not streamed nothing arrives', async (t) => {
  const chat = await startChat(t, ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(32 * 1024 * 1024 + 1, ' '))
  })
  const refused = await chat.post({ ...BODY, stream: false })
  t.equal(refused.status, 503)
  t.match(await refused.json(), { error: { code: 'upstream_unavailable', message: /too large/ } })
})
