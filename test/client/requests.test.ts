/** What every call is sent with, and how often and how long it is tried where nothing is said about that. */
import t from 'tap'
import { createChat } from '../../src/client/chat.js'
import { createDebug } from '../../src/client/debug.js'
import { EngramError } from '../../src/client/engram-error.js'
import { createRequests, type EngramOptions, pathSerializer } from '../../src/client/requests.js'
import { createSession } from '../../src/client/sessions.js'
import { createTimers } from '../support/manual-timers.js'

const outcomeOf = (asked: Promise<unknown>) =>
  asked.catch((error: unknown) => (error instanceof EngramError ? `${error.kind} after ${String(error.attempts)}` : error))

function open(answer: (request: Request) => Promise<Response>, options: Partial<EngramOptions> = {}) {
  const { timers, pass } = createTimers()
  const sent: Request[] = []
  const fetch = (request: Request) => {
    sent.push(request)
    return answer(request)
  }
  const requests = createRequests({ url: 'http://host/base/', fetch, ...options }, timers)
  return { ...requests, requests, pass, sent }
}

type Opened = ReturnType<typeof open>

const busy = async () => new Response(null, { status: 503 })
const silent = ({ signal }: Request) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')), { once: true }))

t.test('a call is retried four times, or as often as the client or the call says', async (t) => {
  for (const [client, call, tries] of [
    [{}, {}, 5],
    [{ retries: 2 }, {}, 3],
    [{ retries: 2 }, { retries: 0 }, 1]
  ] as const) {
    const { passOn, pass, sent } = open(busy, client)
    const asked = outcomeOf(passOn({ method: 'GET', path: '/v1/health' }, call))
    await pass(10_000)
    t.equal(await asked, `unavailable after ${String(tries)}`)
    t.equal(sent.length, tries)
  }
})

t.test('a call has half a minute, or as long as the client or the call says', async (t) => {
  for (const [client, call, ms] of [
    [{}, {}, 30_000],
    [{ deadlineMs: 900 }, {}, 900],
    [{ deadlineMs: 900 }, { deadlineMs: 70 }, 70]
  ] as const) {
    const { passOn, pass } = open(silent, client)
    let outcome: unknown = 'waits'
    const asked = outcomeOf(passOn({ method: 'GET', path: '/' }, call)).then((told) => (outcome = told))
    await pass(ms - 1)
    t.equal(outcome, 'waits')
    await pass(1)
    await asked
    t.equal(outcome, 'deadline after 1')
  }
})

t.test('a call that is passed on goes below the base, as JSON with the token, and comes back as JSON', async (t) => {
  const { passOn, sent } = open(async () => Response.json({ done: true }), { token: 'secret' })
  t.same(await passOn({ method: 'PUT', path: '/v1/a?b=%20', body: { c: 1 } }), { done: true })
  t.match(sent[0], { method: 'PUT', url: 'http://host/base/v1/a?b=%20' })
  t.same(await sent[0]?.json(), { c: 1 })
  t.equal(sent[0]?.headers.get('authorization'), 'Bearer secret')
  t.equal(sent[0]?.headers.get('content-type'), 'application/json')
  await passOn({ method: 'GET', path: '/' })
  t.equal(sent[1]?.headers.get('content-type'), null, 'without a body')
  t.equal(await outcomeOf(open(async () => new Response('<html>')).passOn({ method: 'GET', path: '/' })), 'unexpected after 1')
})

t.test('a token that no header can carry is refused before anything is sent', async (t) => {
  for (const token of ['', 'a b', 'a\u007f', 'é']) {
    const { passOn, sent } = open(busy, { token })
    t.match(await outcomeOf(passOn({ method: 'GET', path: '/' })), { name: 'TypeError' }, JSON.stringify(token))
    t.equal(sent.length, 0)
  }
  const { passOn } = open(async () => Response.json({}), { token: '!~' })
  t.same(await passOn({ method: 'GET', path: '/' }), {})
})

t.test('the parts of a path are encoded, each for itself', async (t) => {
  t.equal(pathSerializer('/v1/{session_id}/{key}', { session_id: 'a/b', key: 'ü..' }), '/v1/a%2Fb/%C3%BC..')
  for (const part of ['', '.', '..']) t.throws(() => pathSerializer('/v1/{key}', { key: part }), TypeError)
})

t.test('limits that are none are refused', async (t) => {
  for (const deadlineMs of [0, -1, Infinity, NaN]) t.throws(() => open(busy, { deadlineMs }), TypeError)
  for (const retries of [-1, 0.5, NaN]) t.throws(() => open(busy, { retries }), TypeError)
  for (const url of ['http://user@host', 'http://:pass@host', 'file:///x', 'xhttp://host', 'https'])
    t.throws(() => open(busy, { url }), TypeError)
  t.doesNotThrow(() => open(busy, { url: 'https://host', deadlineMs: 0.5, retries: 0 }))
})

t.test('a stream that falls silent is lost: a model after ten minutes, an export after one, events after 45 seconds', async (t) => {
  const streams = {
    chat: [600_000, ({ requests }: Opened) => createChat(requests).stream({ model: 'any', messages: [] })],
    export: [60_000, ({ requests }: Opened) => createSession(requests, 's').exportBytes()],
    events: [45_000, async ({ requests }: Opened) => createDebug(requests).events({ since: 0, retries: 0 })]
  } as const
  for (const [name, [ms, begin]] of Object.entries(streams)) {
    const opened = open(async ({ url }) => (url.endsWith('/ticket') ? Response.json({ ticket: 't' }) : new Response(new ReadableStream())))
    const stream: AsyncIterable<unknown> = await begin(opened)
    let outcome: unknown = 'waits'
    const read = outcomeOf(stream[Symbol.asyncIterator]().next()).then((told) => (outcome = told))
    await opened.pass(ms - 1)
    t.equal(outcome, 'waits', name)
    await opened.pass(1)
    await read
    t.match(outcome, /^unreachable/, name)
  }
})
