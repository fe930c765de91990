/** Which messages from another node are accepted as an ask, a question, an answer or an outbox message, by their shapes. */
import fc from 'fast-check'
import t from 'tap'
import { isAnswerTo, isLoggedMessage, toAnswer, toForwarded, toQuestion } from '../../../actors/placement/received.js'

const ADDRESS = { kind: 'session', subject: 'alice', id: 's1' }
const ENVELOPE = { address: ADDRESS, command: { type: 'session.metrics' }, requestId: 'r', deadlineMs: 1_000, isInner: false }
const MALFORMED = { code: 'malformed_payload' }

/** A copy of the value with the field at `path` replaced. */
function having(value: object, path: string, field: unknown): object {
  const [first = '', ...rest] = path.split('.')
  const inner = (value as Record<string, unknown>)[first]
  return { ...value, [first]: rest.length === 0 ? field : having(inner as object, rest.join('.'), field) }
}

t.test('an ask is taken as it is', async (t) => {
  t.same(toForwarded({ envelope: ENVELOPE, to: 'n', beatMs: 0, hop: 2 }), { envelope: ENVELOPE, to: 'n', beatMs: 0, hop: 2 })
  t.same(toForwarded({ envelope: { ...ENVELOPE, triedMs: 5 }, to: 'n', beatMs: 0, hop: 1 }).envelope.triedMs, 5)
})

t.test('an ask with any field of another kind is refused', async (t) => {
  const sound = { envelope: ENVELOPE, to: 'n', beatMs: 0, hop: 1 }
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    hop: [0, 3, 1.5, '1', null, Number.NaN],
    envelope: [null, 'ask', []],
    'envelope.address': [null, [], 'session', {}],
    'envelope.address.kind': ['__proto__', 'constructor', 'toString', '', 7, null, 'node'],
    'envelope.address.subject': [null, 7, {}, ['alice'], undefined],
    'envelope.address.id': [null, 7, {}, undefined],
    'envelope.command': [null, 'session.run', [], {}],
    'envelope.command.type': [
      null,
      7,
      '',
      'x'.repeat(101),
      ['session.metrics'],
      {},
      'session.other',
      'cluster.read',
      '__proto__',
      'constructor'
    ],
    'envelope.isRepeated': [1, 'true', null],
    'envelope.other': [1],
    to: [null, 7, ''],
    beatMs: [-1, Number.NaN, '0'],
    'envelope.requestId': [null, 7, '', 'x'.repeat(1_001), undefined],
    'envelope.deadlineMs': ['1', Number.NaN, Number.POSITIVE_INFINITY, -1, null, 5n, undefined],
    'envelope.triedMs': ['1', Number.NaN, Number.POSITIVE_INFINITY, -1, null],
    'envelope.isInner': [1, 'true', null, undefined]
  }
  for (const [path, fields] of Object.entries(wrong))
    for (const field of fields) t.throws(() => toForwarded(having(sound, path, field)), MALFORMED, `${path}: ${String(field)}`)
})

t.test('a question has a type of ours and what belongs to it', async (t) => {
  for (const question of [
    { type: 'node.ping' },
    { type: 'texts.forget' },
    { type: 'texts.forget', subject: 'a' },
    { type: 'record.take', address: ADDRESS },
    { type: 'sessions.passivate', subject: 'a', ids: ['s'] },
    { type: 'records.list', kind: 'region', subject: 'a', limit: 5 },
    { type: 'ticket.redeem', hash: 'h' },
    { type: 'actors.active', subject: 'a', kind: 'cluster' }
  ])
    t.equal(toQuestion(question), question)
  for (const question of [
    null,
    'node.ping',
    [],
    {},
    { type: 'other' },
    { type: '__proto__' },
    { type: 'toString' },
    { type: 'record.take' },
    { type: 'record.take', address: { ...ADDRESS, kind: 'x' } },
    { type: 'actor.describe', address: { ...ADDRESS, id: 7 } },
    { type: 'sessions.passivate', subject: 'a', ids: 's' },
    { type: 'sessions.passivate', subject: 'a', ids: [7] },
    { type: 'sessions.passivate', ids: [] },
    { type: 'records.list', kind: 'region', subject: 'a' },
    { type: 'records.list', kind: 'region', subject: 'a', limit: 5, after: 7 },
    { type: 'ticket.redeem' },
    { type: 'actors.active', subject: 'a', kind: 'constructor' },
    { type: 'node.describe', subject: null },
    { type: 'sessions.last' }
  ])
    t.throws(() => toQuestion(question), MALFORMED, JSON.stringify(question))
})

t.test('an answer is a reply or a refusal with a code of ours', async (t) => {
  t.same(toAnswer({ reply: undefined }), { reply: undefined })
  t.same(toAnswer({ refusal: { code: 'busy', message: 'Later' } }), { refusal: { code: 'busy', message: 'Later' } })
  const refusal = { code: 'busy', message: 'Later' }
  for (const answer of [
    null,
    7,
    'reply',
    [],
    {},
    { refusal: null },
    { refusal: { ...refusal, code: 'constructor' } },
    { refusal: { ...refusal, code: 'teapot' } },
    { refusal: { code: 'busy' } },
    { refusal: { ...refusal, loc: [{}] } }
  ]) {
    t.throws(() => toAnswer(answer), { code: 'internal' }, JSON.stringify(answer))
  }
})

t.test('an answer to a question is of the kind that it asks for', async (t) => {
  t.ok(isAnswerTo('actors.active', ['a']))
  t.notOk(isAnswerTo('actors.active', 'a'))
  t.notOk(isAnswerTo('records.list', [1]))
  t.ok(isAnswerTo('sessions.last', { id: 'a', idleMs: 3 }))
  t.notOk(isAnswerTo('sessions.last', { id: 'a', idleMs: Number.NaN }))
  t.ok(isAnswerTo('record.take', { head: {}, rows: [{ collection: 'c', id: 'i', body: 1 }] }))
  t.notOk(isAnswerTo('record.take', { head: {}, rows: [{ collection: 'c' }] }))
  t.ok(isAnswerTo('record.peek', { head: null }))
  t.notOk(isAnswerTo('record.peek', []))
  t.notOk(isAnswerTo('ticket.redeem', {}))
  t.notOk(isAnswerTo('node.describe', { nodeId: 'a' }))
  t.ok(isAnswerTo('actor.describe', { kind: 'session', id: 's', machines: {}, links: [] }))
  t.notOk(isAnswerTo('actor.describe', { kind: 'session', id: 's' }))
})

t.test('an outbox message stays with one subject', async (t) => {
  const command = { type: 'cluster.noteDrift', eventId: 'e', driftScore: 0.6, driftPhase: 'drifted', timestamp: 1 }
  const message = { id: 'l', to: { ...ADDRESS, kind: 'cluster' }, command, isAwaited: true }
  t.ok(isLoggedMessage({ sender: ADDRESS, message }))
  t.ok(isLoggedMessage({ sender: ADDRESS, message: { ...message, trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } }))
  t.notOk(isLoggedMessage({ sender: ADDRESS, message: { ...message, trace: 7 } }))
  t.notOk(isLoggedMessage({ sender: ADDRESS, message: { ...message, to: { ...message.to, subject: 'bob' } } }))
  t.notOk(isLoggedMessage({ sender: ADDRESS, message: { ...message, to: ADDRESS } }), 'nor is it for another kind of actor')
  t.notOk(isLoggedMessage({ sender: ADDRESS, message: { ...message, command: { ...command, driftScore: 2 } } }))
  for (const body of [
    null,
    {},
    { message },
    { sender: ADDRESS },
    { sender: ADDRESS, message: { ...message, id: 7 } },
    { sender: ADDRESS, message: { ...message, command: null } }
  ])
    t.notOk(isLoggedMessage(body))
})

t.test('anything at all is taken or refused, and never throws anything else', async () => {
  const code = (work: () => unknown): unknown => {
    try {
      work()
      return 'malformed_payload'
    } catch (error) {
      return (error as { code?: unknown }).code
    }
  }
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withMap: true, withTypedArray: true, withBigInt: true }), (body) => {
      isLoggedMessage(body)
      return (
        code(() => toForwarded(body)) === 'malformed_payload' &&
        code(() => toForwarded({ envelope: body, hop: 1 })) === 'malformed_payload' &&
        code(() => toQuestion(body)) === 'malformed_payload'
      )
    }),
    { numRuns: 2_000 }
  )
})
