/** The integrations as their users have them: official packages, Python and a page, each against a service of its own. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { HumanMessage } from '@langchain/core/messages'
import { generateText, simulateReadableStream, streamText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import t, { type Test } from 'tap'
import { engramMemory } from '../../examples/integrations/ai-sdk.js'
import { EngramChatMessageHistory, EngramRetriever } from '../../examples/integrations/langchain.js'
import { ask, chatClient, stream } from '../../examples/integrations/openai-chat.js'
import { createEngram } from '../../src/client/engram.js'
import { builtClient } from '../support/built.js'
import { answer, chunk, completion, startUpstream } from '../support/chat-upstream.js'
import { newPage, skipWithoutBrowser } from '../support/chromium.js'
import { listen } from '../support/listening-service.js'
import { findProgram, needs } from '../support/needs.js'

const FOLDER = new URL('../../examples/integrations/', import.meta.url)

async function start(t: Test, env: Readonly<Record<string, string>> = {}) {
  const service = await listen(t, { env })
  const token = await service.token('alice')
  const engram = createEngram({ url: service.url, token })
  const texts = async (id: string) => (await engram.session(id).memories.list()).memories.map(({ role, text }) => `${role}: ${text}`)
  return { ...service, token, engram, texts }
}

t.test('openai: the official client remembers through the proxy, in one piece and streamed', async (t) => {
  const upstream = await startUpstream(t, ({ response, text }) => {
    if (!text.includes('"stream":true')) return answer(response, completion('To Lisbon'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([chunk('In '), chunk('May'), chunk(null, 'stop'), 'data: [DONE]\n\n'].join(''))
  })
  const { url, token, texts } = await start(t, { SERVICE_UPSTREAM_URL: upstream.url, SERVICE_UPSTREAM_API_KEY: 'key' })
  const client = chatClient({ url, token, session: 'anna' })
  t.equal(await ask(client, 'Where do we fly?'), 'To Lisbon')
  const pieces: string[] = []
  for await (const piece of stream(client, 'When do we fly to Lisbon?')) pieces.push(piece)
  t.equal(pieces.join(''), 'In May')
  t.same(await texts('anna'), ['user: Where do we fly?', 'assistant: To Lisbon', 'user: When do we fly to Lisbon?', 'assistant: In May'])
  t.match(JSON.stringify(upstream.body(2).messages), 'Where do we fly?', 'the second question came with what is remembered')
})

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}
const STOP = { unified: 'stop', raw: 'stop' } as const

t.test('Vercel AI SDK: any model gets the memories before its prompt, and its answers are learned', async (t) => {
  const { engram, texts } = await start(t)
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({ content: [{ type: 'text', text: 'To Lisbon' }], finishReason: STOP, usage: USAGE, warnings: [] }),
    doStream: async () => ({
      stream: simulateReadableStream({
        initialDelayInMs: null,
        chunkDelayInMs: null,
        chunks: [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'In ' },
          { type: 'text-delta', id: '1', delta: 'May' },
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: STOP, usage: USAGE }
        ]
      })
    })
  })
  const remembering = wrapLanguageModel({ model, middleware: engramMemory(engram.session('anna')) })
  t.equal((await generateText({ model: remembering, prompt: 'Where do we fly?' })).text, 'To Lisbon')
  t.equal(await streamText({ model: remembering, prompt: 'When do we fly to Lisbon?' }).text, 'In May')
  t.same(await texts('anna'), ['user: Where do we fly?', 'assistant: To Lisbon', 'user: When do we fly to Lisbon?', 'assistant: In May'])
  const [system] = model.doStreamCalls[0]?.prompt ?? []
  t.equal(system?.role, 'system')
  t.match(JSON.stringify(system), 'To Lisbon')
})

t.test('LangChain.js: a chat history that is kept in a session, and a retriever over it', async (t) => {
  const { engram } = await start(t)
  const history = new EngramChatMessageHistory(engram.session('anna'))
  t.same(await history.getMessages(), [], 'before anything was said')
  await history.addMessages([new HumanMessage('My goats are called Berta and Frieda')])
  await history.addAIMessage('I will remember Berta and Frieda')
  t.same(
    (await history.getMessages()).map(({ type, text }) => [type, text]),
    [
      ['human', 'My goats are called Berta and Frieda'],
      ['ai', 'I will remember Berta and Frieda']
    ]
  )
  const [document] = await new EngramRetriever({ session: engram.session('anna'), topK: 1 }).invoke('What are the goats called?')
  t.match(document?.pageContent, 'Berta')
  t.match(document?.metadata, { score: Number, role: String })
  await history.clear()
  t.same(await history.getMessages(), [])
})

t.test('Python: the script remembers with the standard library alone', needs('python3'), async (t) => {
  const { url, token, texts } = await start(t)
  const script = new URL('engram_memory.py', FOLDER).pathname
  const env = { ENGRAM_URL: url, ENGRAM_TOKEN: token }
  const { stdout } = await promisify(execFile)(findProgram('python3') ?? 'python3', [script], { env, timeout: 60_000 })
  t.match(stdout, 'To Lisbon, with the children.')
  t.equal((await texts('python')).filter((text) => text === 'assistant: To Lisbon, with the children.').length, 1)
})

/** Runs the Python script against answers that stand before the service's; tells when each request came, in ms. */
async function runPython(
  t: Test,
  refusals: readonly { readonly status: number; readonly headers?: Record<string, string>; readonly body: string }[]
) {
  const { url, token, texts } = await start(t)
  const moments: number[] = []
  const keys: string[] = []
  const server = createServer((request, response) => {
    moments.push(performance.now())
    void text(request).then(async (body) => {
      keys.push((JSON.parse(body) as { idempotency_key: string }).idempotency_key)
      const refusal = refusals[moments.length - 1]
      if (refusal !== undefined) return response.writeHead(refusal.status, refusal.headers).end(refusal.body)
      const headers = { authorization: String(request.headers.authorization), 'content-type': 'application/json' }
      const answered = await fetch(`${url}${request.url ?? ''}`, { method: 'POST', headers, body })
      return response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const env = { ENGRAM_URL: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, ENGRAM_TOKEN: token }
  const script = new URL('engram_memory.py', FOLDER).pathname
  const ended = promisify(execFile)(findProgram('python3') ?? 'python3', [script], { env, timeout: 60_000 })
  const stderr = await ended.then(
    () => '',
    (error: unknown) => (error as { stderr: string }).stderr
  )
  return { moments, keys, texts, stderr }
}

t.test('Python: what is refused is asked again with its key, not before the service says', needs('python3'), async (t) => {
  const limited = { status: 429, headers: { 'retry-after': '1' }, body: '{"detail":"Too many requests"}' }
  const { moments, keys, texts, stderr } = await runPython(t, [limited, { status: 502, body: '<h1>Bad Gateway</h1>' }])
  t.equal(stderr, '')
  t.ok((moments[1] as number) - (moments[0] as number) >= 1_000)
  t.equal(new Set(keys.slice(0, 3)).size, 1)
  t.equal((await texts('python')).filter((one) => one === 'user: Where do we fly in May?').length, 1)
})

t.test('Python: what stays refused is told, whatever the answer is made of', needs('python3'), async (t) => {
  const { moments, stderr } = await runPython(t, [{ status: 503, headers: { 'retry-after': '3600' }, body: '<h1>Away</h1>' }])
  t.equal(moments.length, 1)
  t.match(stderr, 'RuntimeError: 503: Service Unavailable')
})

t.test('browser: a page with the built client shows what is remembered', { skip: skipWithoutBrowser }, async (t) => {
  const files = new Map<string, string>()
  const server = createServer(({ url = '' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : url.endsWith('.json') ? 'application/json' : 'text/html'
    response.setHeader('content-type', type).end(files.get(url))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const { url, token, engram } = await start(t, { CORS_ALLOW_ORIGINS: origin })
  await engram.session('page').run({ message: 'The goats graze by the river' })
  files.set('/page.html', readFileSync(new URL('page.html', FOLDER), 'utf8'))
  files.set('/package-entry.js', await builtClient())
  files.set('/settings.json', JSON.stringify({ url, token }))
  const page = await newPage(t)
  await page.goto(`${origin}/page.html`)
  await page.getByLabel('Message').fill('Where do the goats graze?')
  await page.getByRole('button', { name: 'Send' }).click()
  const memory = page.getByLabel('Memory').filter({ hasText: 'graze by the river' })
  await memory.waitFor({ timeout: 60_000 })
  t.match(await memory.textContent(), 'Memory context')
})
