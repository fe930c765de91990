import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createHttpEmbedder, type HttpLimits } from '../../src/embedders/http.js'
import { createManualClock, machineClock } from '../support/embedder-ports.js'
import { until } from '../support/until.js'

const KEY = 'secret-key'

interface Call {
  readonly url: string
  readonly authorization: string | undefined
  readonly input: string[]
}

/** A vector that identifies its text: by length and first character. */
function vectorOf(text: string): number[] {
  return [text.length, text.charCodeAt(0), 1]
}

function answer(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Embeddings in reverse order, which `index` allows. */
function embeddings(input: readonly string[]) {
  return { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse() }
}

/** Starts a real server; `handle` misbehaves as the test wants. Retries do not wait, because randomness is zero. */
async function open(
  t: Test,
  handle: (call: Call, response: ServerResponse, nth: number) => void,
  { clock = machineClock, limits = {} }: { clock?: typeof machineClock; limits?: Partial<HttpLimits> } = {}
) {
  const calls: Call[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] }
      const call = { url: request.url ?? '', authorization: request.headers.authorization, input }
      calls.push(call)
      handle(call, response, calls.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  const embedder = createHttpEmbedder({ modelName: 'some-model', url, apiKey: KEY, clock, randomness: { next: () => 0 }, limits })
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await embedder.close()
  })
  return { embedder, calls, url }
}

t.test('http embedder: many texts are asked for in batches, and their order is kept', async (t) => {
  const { embedder, calls } = await open(t, ({ input }, response) => answer(response, embeddings(input)), { limits: { batchTextsMax: 3 } })
  const texts = ['a', 'bb', 'ccc', 'dddd', 'e', 'ff', 'g']
  const vectors = await embedder.embed(texts, { dimension: 3 })
  texts.forEach((text, index) => t.ok(Math.abs(vectors[index]![0]! / vectors[index]![1]! - text.length / text.charCodeAt(0)) < 1e-5))
  t.same(
    calls.map((call) => call.input.length),
    [3, 3, 1]
  )
  t.match(calls[0], { url: '/v1/embeddings', authorization: `Bearer ${KEY}` })
  t.equal(embedder.countTokens('12345'), 2)
})

t.test('http embedder: trouble that passes is tried again', async (t) => {
  const { embedder, calls } = await open(t, ({ input }, response, nth) => {
    if (nth === 1) answer(response, 'no', 500)
    else if (nth === 2) answer(response, 'no', 429, { 'retry-after': '0' })
    else if (nth === 3) response.destroy()
    else answer(response, embeddings(input))
  })
  t.equal((await embedder.embed(['a'], { dimension: 3 })).length, 1)
  t.equal(calls.length, 4)
})

t.test('http embedder: trouble that stays is given up after its attempts', async (t) => {
  const { embedder, calls } = await open(t, (_, response) => answer(response, 'no', 503))
  await t.rejects(embedder.embed(['a'], { dimension: 3 }), { code: 'embedder_unavailable', message: /503/ })
  t.equal(calls.length, 4)
})

t.test('an http embedder that is told to wait does so on its clock and no longer than its deadline', async (t) => {
  const clock = createManualClock()
  const { embedder, calls } = await open(
    t,
    ({ input }, response, nth) => {
      if (nth === 1) answer(response, 'no', 429, { 'retry-after': '7' })
      else if (nth === 2) answer(response, embeddings(input))
      else answer(response, 'no', 429, { 'retry-after': '3600' })
    },
    { clock }
  )
  const waiting = embedder.embed(['a'], { dimension: 3 })
  // The deadline of the call and the pause: the attempt's own timer is gone.
  while (calls.length < 1 || clock.waiting !== 2) await new Promise((resolve) => setImmediate(resolve))
  await turns(20)
  clock.advance(6_999)
  await turns(20)
  t.equal(calls.length, 1)
  clock.advance(1)
  t.equal((await waiting).length, 1)
  await t.rejects(embedder.embed(['b'], { dimension: 3 }), { code: 'embedder_unavailable', message: /429/ })
  t.equal(calls.length, 3)
})

const WRONG: Record<string, (input: readonly string[]) => unknown> = {
  'truncated JSON': () => '{"data": [{"index": 0, "embed',
  'no data': () => ({ error: 'x' }),
  'a wrong count': (input) => ({ data: embeddings([...input, 'more']).data }),
  'an index twice': (input) => ({ data: input.map((text) => ({ index: 0, embedding: vectorOf(text) })) }),
  'an index out of range': (input) => ({ data: input.map((text, index) => ({ index: index + 1, embedding: vectorOf(text) })) }),
  'NaN as null': (input) => ({ data: input.map((_, index) => ({ index, embedding: [null, 1, 2] })) }),
  'a number beyond Float32': (input) => ({ data: input.map((_, index) => ({ index, embedding: [1e300, 1, 2] })) }),
  'different widths': (input) => ({ data: input.map((_, index) => ({ index, embedding: Array(index + 1).fill(1) })) }),
  'an empty vector': (input) => ({ data: input.map((_, index) => ({ index, embedding: [] })) }),
  base64: (input) => ({ data: input.map((_, index) => ({ index, embedding: 'AAAA' })) })
}

for (const [name, body] of Object.entries(WRONG)) {
  t.test(`an http embedder that is answered with ${name} refuses it`, async (t) => {
    const { embedder } = await open(t, ({ input }, response) => answer(response, body(input)), { limits: { attemptsMax: 1 } })
    await t.rejects(embedder.embed(['first text', 'second text'], { dimension: 3 }), { code: 'embedder_unavailable', message: /^[^/:]*$/ })
  })
}

t.test('http embedder: a body without end is read to its limit only', async (t) => {
  const body = { isCutOff: false }
  const { embedder } = await open(
    t,
    (_, response) => {
      response.on('close', () => (body.isCutOff = true))
      response.on('error', () => undefined)
      response.writeHead(200)
      const pour = (): void => {
        if (!body.isCutOff) response.write(' '.repeat(65_536), () => setImmediate(pour))
      }
      pour()
    },
    { limits: { responseBytesMax: 1_000_000, attemptsMax: 1 } }
  )
  await t.rejects(embedder.embed(['a'], { dimension: 3 }), { code: 'embedder_unavailable' })
  await until(() => body.isCutOff)
  t.ok(body.isCutOff)
})

const TOO_MUCH: Record<string, string> = {
  objects: `{"data":[${'{},'.repeat(2_000)}{}]}`,
  'nested lists': '['.repeat(2_000),
  fields: `{${Array.from({ length: 2_000 }, (_, at) => `"${String(at)}":1`).join(',')}}`,
  numbers: `{"data":[${'1,'.repeat(80_000)}1]}`,
  blanks: ' '.repeat(4_000_000)
}

for (const [name, body] of Object.entries(TOO_MUCH)) {
  t.test(
    `http embedder: an answer with more ${name} than vectors take is refused before it is parsed, and not asked for again`,
    async (t) => {
      const { embedder, calls } = await open(t, (_, response) => answer(response, body))
      await t.rejects(embedder.embed(['a'], { dimension: 3 }), { message: 'The embedding service answered with more than vectors take' })
      t.equal(calls.length, 1)
    }
  )
}

t.test('http embedder: once the width of its vectors is known an answer may be as long as they are', async (t) => {
  const many = { data: [{ index: 0, embedding: Array(5_000).fill(1) }] }
  const { embedder } = await open(t, ({ input }, response, nth) => answer(response, nth === 1 ? embeddings(input) : many))
  await embedder.embed(['a'], { dimension: 3 })
  await t.rejects(embedder.embed(['b'], { dimension: 3 }), { message: 'The embedding service answered with more than vectors take' })
})

t.test('http embedder: vectors that are printed over many lines, with fields beside them, are read', async (t) => {
  const written = (input: readonly string[]) => ({
    model: 'some-model',
    usage: { prompt_tokens: 1, total_tokens: 1 },
    data: input.map((_, index) => ({ object: 'embedding', index, embedding: Array.from({ length: 384 }, (_, at) => -Math.sin(at) / 1e9) }))
  })
  const { embedder } = await open(t, ({ input }, response) => answer(response, JSON.stringify(written(input), null, 4)))
  for (let nth = 1; nth <= 2; nth++) t.equal((await embedder.embed(['a', 'b'], { dimension: 384 })).length, 2)
})

t.test('a redirected http embedder does not follow with texts and key', async (t) => {
  const other = await open(t, ({ input }, response) => answer(response, embeddings(input)))
  const { embedder, calls } = await open(t, (_, response) => answer(response, '', 307, { location: `${other.url}embeddings` }))
  await t.rejects(embedder.embed(['a'], { dimension: 3 }), { code: 'embedder_unavailable', message: /307/ })
  t.same([calls.length, other.calls.length], [1, 0])
})

t.test('an http embedder without an answer gives up at its deadline and closes the request', async (t) => {
  const clock = createManualClock()
  const request = { isClosed: false }
  const { embedder, calls } = await open(t, (_, response) => response.on('close', () => (request.isClosed = true)), { clock })
  const slow = embedder.embed(['a'], { dimension: 3 })
  await until(() => calls.length > 0)
  clock.advance(30_000)
  await t.rejects(slow, { code: 'embedder_unavailable' })
  await until(() => request.isClosed)
  t.equal(calls.length, 1)
})

t.test('http embedder: a text that the service refuses does not fail another caller', async (t) => {
  const { embedder } = await open(t, ({ input }, response) => {
    if (input.includes('bad')) answer(response, 'no', 400)
    else answer(response, embeddings(input))
  })
  const good = embedder.embed(['good'], { dimension: 3 })
  await t.rejects(embedder.embed(['bad'], { dimension: 3 }), { code: 'embedder_unavailable', message: /400/ })
  t.equal((await good).length, 1)
})

t.test("http embedder: a text that breaks the service does not fail another subject's", async (t) => {
  const { embedder, calls } = await open(
    t,
    ({ input }, response) => {
      if (input.includes('bad')) answer(response, 'no', 500)
      else answer(response, embeddings(input))
    },
    { limits: { attemptsMax: 1 } }
  )
  const good = embedder.embed(['good'], { dimension: 3, subject: 'alice' })
  await t.rejects(embedder.embed(['bad'], { dimension: 3, subject: 'mallory' }), { code: 'embedder_unavailable', message: /500/ })
  t.equal((await good).length, 1)
  t.same(calls[0]?.input, ['good', 'bad'], 'though they travelled together')
})

t.test('http embedder: vectors of another width than before are refused', async (t) => {
  const { embedder } = await open(t, (_, response, nth) => answer(response, { data: [{ index: 0, embedding: Array(nth + 2).fill(1) }] }))
  await embedder.embed(['a'], { dimension: 3 })
  await t.rejects(embedder.embed(['b'], { dimension: 3 }), { code: 'embedder_unavailable' })
})

t.test('an http embedder to which nobody listens says so without address or key', async (t) => {
  const url = 'http://127.0.0.1:1/'
  const embedder = createHttpEmbedder({ modelName: 'm', url, apiKey: KEY, clock: machineClock, randomness: { next: () => 0 } })
  const error: unknown = await embedder.embed(['private text'], { dimension: 3 }).catch((reason: unknown) => reason)
  t.match(error, { code: 'embedder_unavailable' })
  t.notMatch(JSON.stringify([String(error), error instanceof Error ? error.cause : null]), /127|secret|private/)
})

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

t.test('http embedder: a name and password in the address are sent as Basic credentials, unless there is a key', async (t) => {
  const { url, calls } = await open(t, ({ input }, response) => answer(response, embeddings(input)))
  const secret = url.replace('//', '//user:p%40ss@')
  for (const apiKey of [undefined, KEY]) {
    const embedder = createHttpEmbedder({
      modelName: 'some-model',
      url: secret,
      ...(apiKey !== undefined && { apiKey }),
      clock: machineClock,
      randomness: { next: () => 0 }
    })
    t.teardown(() => embedder.close())
    await embedder.embed(['a'], { dimension: 3, signal: new AbortController().signal, subject: 'ann' })
  }
  t.strictSame(
    calls.map(({ authorization }) => authorization),
    [`Basic ${Buffer.from('user:p@ss').toString('base64')}`, `Bearer ${KEY}`]
  )
})
