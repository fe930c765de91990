/** Memory that a chat holds of the node: its body until it is answered, and answers while they are read. */
import t from 'tap'
import { answer, beginStream, type ChatService, chunk, completion, startChat, streamed } from '../support/chat-upstream.js'
import { until } from '../support/until.js'

const METRICS = { METRICS_USER: 'm', METRICS_PASSWORD: 'm' }

const BODY = { model: 'm', messages: [{ role: 'user', content: 'Which harbour did the lighthouse keeper paint?' }] }

/** Bytes that all requests, or all answers, hold. */
async function heldBy({ url }: ChatService, kind: 'request' | 'answer'): Promise<number> {
  const headers = { authorization: `Basic ${Buffer.from('m:m').toString('base64')}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return Number(new RegExp(`^service_held_bytes\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

t.test('the body of a chat counts once while the model thinks, and what was read of it no more', async (t) => {
  let begin = (): void => undefined
  let finish = (): void => undefined
  const chat = await startChat(
    t,
    ({ response }) => {
      begin = () => beginStream(response).write(chunk('He painted it.'))
      finish = () => response.end(streamed([]))
    },
    { env: METRICS }
  )
  const body = JSON.stringify({ ...BODY, stream: true, metadata: { filler: 'x'.repeat(500_000) } })
  const asking = chat.post(body)
  await until(() => chat.upstream.calls.length === 1)
  t.equal(await heldBy(chat, 'request'), body.length)
  begin()
  const response = await asking
  t.equal(await heldBy(chat, 'request'), body.length)
  finish()
  await response.text()
  await until(async () => (await heldBy(chat, 'request')) === 0)
  t.equal(await heldBy(chat, 'answer'), 0)
})

t.test('a node takes in as many chats as fit with their bodies alone: those whose model thinks hold nothing else', async (t) => {
  const asked = 12
  const chat = await startChat(t, () => undefined, { env: { ...METRICS, SERVICE_MEMORY_LIMIT_MB: '512' } })
  const leave = new AbortController()
  const body = JSON.stringify({ ...BODY, metadata: { filler: 'x'.repeat(1_000_000) } })
  for (let at = 1; at <= asked; at++) {
    const asking = chat.post(body, { signal: leave.signal }).then(
      ({ status }) => t.fail(`answered ${String(status)}`),
      () => undefined
    )
    await until(() => chat.upstream.calls.length === at)
    void asking
  }
  t.equal(await heldBy(chat, 'request'), asked * body.length)
  leave.abort()
  await until(async () => (await heldBy(chat, 'request')) === 0)
})

t.test('an answer that is not streamed counts three times what has come of it until it is sent', async (t) => {
  const text = JSON.stringify(completion('x'.repeat(3_000_000)))
  let finish = (): void => undefined
  const chat = await startChat(
    t,
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
      response.write(text.slice(0, -1))
      finish = () => response.end(text.slice(-1))
    },
    { env: METRICS }
  )
  const asking = chat.post(BODY)
  await until(async () => (await heldBy(chat, 'answer')) === 3 * (text.length - 1))
  finish()
  t.equal(await (await asking).text(), text)
  await until(async () => (await heldBy(chat, 'answer')) === 0)
})

t.test('an answer for which the node has no memory is refused and not stored', async (t) => {
  const chat = await startChat(t, ({ response }) => answer(response, completion('x'.repeat(20_000_000))), {
    env: { ...METRICS, SERVICE_MEMORY_LIMIT_MB: '256' }
  })
  const response = await chat.post(BODY, { headers: { 'x-session-id': 's' } })
  t.equal(response.status, 503)
  t.match(await response.text(), /SERVICE_MEMORY_LIMIT_MB/)
  t.equal((await chat.memories('s')).length, 1, 'the question')
  await until(async () => (await heldBy(chat, 'answer')) === 0)
})
