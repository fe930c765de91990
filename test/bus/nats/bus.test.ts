import assert from 'node:assert/strict'
import fc from 'fast-check'
import { connect, headers } from 'nats'
import t from 'tap'
import { encodeMessage } from '../../../src/bus/message-codec.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startNatsNodes } from '../../support/nats-nodes.js'
import { anyCharacter } from '../../support/any-text.js'
import { allNeed } from '../../support/needs.js'
import { codeOf } from '../../support/runtime.js'
import { until } from '../../support/until.js'
import { busContract } from '../contract.js'

allNeed(t, 'nats-server')
busContract('NATS', async (t) => {
  const nodes = await startNatsNodes(t)
  const bus = await nodes.open('a')
  return { bus, other: await nodes.open('b'), settled: () => bus.check() }
})
cases()

/** Everything that a body may hold. */
function anyBody(): fc.Arbitrary<unknown> {
  const { body } = fc.letrec<{ body: unknown }>((tie) => ({
    body: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, undefined, true, false),
      fc.integer(),
      fc.double().map((value) => (Object.is(value, -0) ? 0 : value)),
      fc.string({ unit: anyCharacter }),
      fc.date({ noInvalidDate: true }),
      fc.float32Array({ noNaN: false }),
      fc.float64Array(),
      fc.uint8Array(),
      fc.int32Array(),
      fc.array(tie('body'), { maxLength: 20 }),
      fc.dictionary(fc.string(), tie('body'), { maxKeys: 20, noNullPrototype: true }).map(({ ['__proto__']: _, ...rest }) => rest),
      fc.array(fc.tuple(tie('body'), tie('body')), { maxLength: 5 }).map((entries) => new Map(entries))
    )
  }))
  return body
}

function cases(): void {
  t.test('any plain body crosses and comes back as it was', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    a.serve('engram.nodes.a.first.echo', async (body) => body)
    await a.check()
    await fc.assert(
      fc.asyncProperty(anyBody(), async (body) => {
        const wanted = structuredClone(body)
        assert.deepStrictEqual(await b.request('engram.nodes.a.first.echo', body, { deadlineMs: 5_000 }), wanted)
      }),
      { numRuns: 300 }
    )
  })

  t.test('a list of many objects crosses and comes back as it was, in one message and in parts', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    a.serve('engram.nodes.a.first.echo', async (body) => body)
    await a.check()
    for (const dimension of [4, 4_096]) {
      const memories = Array.from({ length: 200 }, (_, at) => ({ id: String(at), vectors: new Float32Array(dimension).fill(at) }))
      const body = { reply: { memories, turn: 1 } }
      t.same(await b.request('engram.nodes.a.first.echo', body, { deadlineMs: 20_000 }), body)
    }
  })

  t.test('a handler that fails is an internal error to the caller and in the log of its own node', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    a.serve('engram.nodes.a.first.fail', () => Promise.reject(new RangeError('a secret')))
    await a.check()
    await t.rejects(b.request('engram.nodes.a.first.fail', 1, { deadlineMs: 5_000 }), { code: 'internal', message: 'Internal error' })
    t.match(nodes.lines, [{ level: 'error', message: 'A request from another node failed', fields: { err: RangeError } }])
  })

  t.test('a request that was aborted, before or after it was sent, is over at once', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    let handed = 0
    const abort = new AbortController()
    a.serve('engram.nodes.a.first.silent', () => {
      handed += 1
      abort.abort()
      return new Promise(() => undefined)
    })
    await a.check()
    t.equal(await codeOf(b.request('engram.nodes.a.first.silent', 1, { deadlineMs: 60_000, signal: abort.signal })), 'deadline_passed')
    t.equal(await codeOf(b.request('engram.nodes.a.first.silent', 1, { deadlineMs: 60_000, signal: abort.signal })), 'deadline_passed')
    t.equal(await codeOf(b.request('engram.nodes.a.first.silent', 1, { deadlineMs: 0 })), 'deadline_passed')
    await b.check()
    await a.check()
    t.equal(handed, 1)
  })

  t.test('what no node has sent is dropped without a word of it in the log', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const handed: unknown[] = []
    a.serve('engram.nodes.a.first.asks', async (body) => handed.push(body))
    a.subscribe('engram.news', (body) => handed.push(body))
    await a.check()
    const foreign = await connect({ servers: `127.0.0.1:${nodes.server.port}` })
    const garbage = [
      Buffer.from([0xd9, 0xff]),
      Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff]),
      Buffer.concat([encodeMessage('a secret'), Buffer.from('a secret')])
    ]
    const forms = [{}, { 'Engram-Left-Ms': '5000' }, { 'Engram-Left-Ms': '5000', 'Engram-Form': 'ticket' }, { 'Engram-Left-Ms': 'soon' }]
    for (const data of garbage) {
      for (const form of forms) {
        const fields = headers()
        for (const [name, value] of Object.entries(form)) fields.set(name, value)
        foreign.publish('engram.nodes.a.first.asks.foreign', data, { headers: fields, reply: '_INBOX.foreign.a.token' })
        foreign.publish('engram.nodes.a.first.asks.foreign', data, { headers: fields })
      }
      foreign.publish('engram.nodes.a.first.asks.foreign', data)
      foreign.publish('engram.news', data)
    }
    // Nobody waits for this one any more.
    const late = headers()
    late.set('Engram-Left-Ms', '0')
    foreign.publish('engram.nodes.a.first.asks.foreign', encodeMessage('late'), { headers: late, reply: '_INBOX.foreign.a.token' })
    await foreign.drain()
    t.equal(await b.request('engram.nodes.a.first.asks', 'sound', { deadlineMs: 5_000 }), 1)
    b.publish('engram.news', 'sound')
    await until(() => handed.length === 2)
    t.same(handed, ['sound', 'sound'])
    t.ok(nodes.lines.length > 0)
    t.notMatch(JSON.stringify(nodes.lines), 'secret')
  })

  t.test('an answer that is ready when nobody waits for it any more is not sent', async (t) => {
    const nodes = await startNatsNodes(t)
    const clock = createManualClock()
    const a = await nodes.open('a', { clock })
    const answers: ((answer: string) => void)[] = []
    a.serve('engram.nodes.a.first.asks', () => new Promise((resolve) => void answers.push(resolve)))
    await a.check()
    const asker = await connect({ servers: `127.0.0.1:${nodes.server.port}` })
    const came: string[] = []
    asker.subscribe('_INBOX.asker.a.*', { callback: (_, { subject }) => void came.push(subject) })
    for (const leftMs of [100, 101]) {
      const fields = headers()
      fields.set('Engram-Left-Ms', String(leftMs))
      const reply = `_INBOX.asker.a.waits-${String(leftMs)}`
      asker.publish('engram.nodes.a.first.asks.asker', encodeMessage('asked'), { headers: fields, reply })
    }
    await until(() => answers.length === 2)
    await clock.advance(100)
    for (const answer of answers) answer('answered')
    await until(() => came.length > 0)
    t.same(came, ['_INBOX.asker.a.waits-101'])
    await asker.drain()
  })

  t.test('a publication that does not fit into a message is refused to its sender', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    t.throws(() => bus.publish('engram.news', new Uint8Array(2 ** 20)), { name: 'RangeError' })
    await bus.check()
  })
}
