// Against a server on a real socket.
import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { createModelService } from '../../src/upstream/model-service.js'
import { type Script, startUpstream } from '../support/chat-upstream.js'
import { createManualClock, createRecordingLogger } from '../support/embedder-ports.js'
import { startService } from '../support/real-service.js'

const KEY = 'sk-operator-0123456789'
const MASK = '*'.repeat(KEY.length)

async function sendPieces(response: ServerResponse, whole: string, pieceLength: number): Promise<void> {
  for (let at = 0; at < whole.length; at += pieceLength) {
    response.write(whole.slice(at, at + pieceLength))
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

async function answered(t: Test, script: Script, apiKey: string | undefined = KEY) {
  const { url } = await startUpstream(t, script)
  const service = createModelService({ url, apiKey, clock: createManualClock(), logger: createRecordingLogger() })
  t.teardown(() => service.close())
  const { status, headers, body } = await service.send({ method: 'GET', path: 'models' }, new AbortController().signal)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { status, headers, text: Buffer.concat(chunks).toString() }
}

t.test('a key that the upstream quotes is masked in headers and bodies of all answers', async (t) => {
  for (const status of [200, 401, 500]) {
    const { headers, text } = await answered(t, ({ headers: { authorization }, response }) =>
      response.writeHead(status, { 'x-refused': `key ${authorization ?? ''}` }).end(`${authorization ?? ''}, twice: ${KEY}${KEY}`)
    )
    t.match(headers, { 'x-refused': `key Bearer ${MASK}` })
    t.equal(text, `Bearer ${MASK}, twice: ${MASK}${MASK}`)
  }
})

t.test('it is masked wherever the pieces of an answer end, and all else goes on as it came', async (t) => {
  for (const whole of [`a ${KEY} b`, KEY, `sk-sk-op${KEY}sk-op`, 'sk-operator-', 'nothing', '']) {
    for (const pieceLength of [1, 3, KEY.length - 1, KEY.length + 1]) {
      const { text } = await answered(t, ({ response }) => void sendPieces(response, whole, pieceLength))
      t.equal(text, whole.replaceAll(KEY, MASK))
    }
  }
})

t.test('a key that is a plain word is not looked for', async (t) => {
  t.equal((await answered(t, ({ response }) => response.end('It is EMPTY.'), 'EMPTY')).text, 'It is EMPTY.')
})

t.test('an answer that quotes the key is neither passed on nor remembered with it', async (t) => {
  const content = `My key is ${KEY}.`
  const { url } = await startUpstream(t, ({ response }) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] }))
  )
  const { as } = await startService(t, { env: { SERVICE_UPSTREAM_URL: url, SERVICE_UPSTREAM_API_KEY: KEY } })
  const alice = await as('alice')
  const messages = [{ role: 'user', content: 'Which key do you have?' }]
  const { status, body } = await alice.post('/compat/v1/chat/completions', { model: 'any', session_id: 's', messages })
  const { body: memories } = await alice.get('/v1/session/s/memories')
  t.equal(status, 200)
  for (const shown of [body, memories]) {
    t.match(JSON.stringify(shown), `My key is ${MASK}.`)
    t.notMatch(JSON.stringify(shown), KEY)
  }
})
