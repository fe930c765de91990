/** The relay retries each outbox message until it is taken in or finally refused, and tells its sender. */
import t from 'tap'
import type { OutboxMessage } from '../../../actors/behaviour/behaviour.js'
import type { ActorCommand } from '../../../actors/behaviour/delivery.js'
import { createRelay, type OutboxMessages } from '../../../actors/messaging/relay.js'
import type { Address } from '../../../src/domain/address.js'
import { DomainError, type ErrorCode } from '../../../src/domain/errors.js'
import { createManualClock, settled } from '../../support/manual-clock.js'

const SENDER: Address = { kind: 'session', subject: 's', id: 'sender' }
const OTHER: Address = { kind: 'session', subject: 's', id: 'other' }
const RECEIVER: Address = { kind: 'cluster', subject: 's', id: 'receiver' }

const message = (id: string, isAwaited = false): OutboxMessage => ({ id, to: RECEIVER, command: { type: 'cluster.sample' }, isAwaited })

/** Opens a relay. `receive` answers its deliveries; `settles` collects the commands to senders, which `settle` answers. */
function open(
  receive: (id: string, tries: number) => Promise<unknown>,
  { log = null, settle = async () => null }: { log?: OutboxMessages | null; settle?: (nth: number) => Promise<unknown> } = {}
) {
  const clock = createManualClock()
  const tries: { id: string; atMs: number; deadlineMs: number; isRepeated: boolean | undefined }[] = []
  const settles: { sender: string; ids: readonly string[] }[] = []
  const logged: object[] = []
  const relay = createRelay({
    clock,
    log,
    logger: { debug: (fields) => void logged.push(fields), info: () => {}, warn: () => {}, error: () => {} },
    ask: async (address, command: ActorCommand & { readonly ids?: readonly string[] }, { deadlineMs, requestId = '', isRepeated }) => {
      if (command.type === 'outbox.settle') {
        settles.push({ sender: address.id, ids: command.ids ?? [] })
        return settle(settles.length)
      }
      tries.push({ id: requestId, atMs: clock.monotonicMs(), deadlineMs, isRepeated })
      return receive(requestId, tries.filter(({ id }) => id === requestId).length)
    }
  })
  return { clock, relay, tries, settles, logged }
}

const refused = async (code: ErrorCode) => Promise.reject(new DomainError(code, 'Refused'))

t.test('outbox messages that arrive are reported to their senders together', async (t) => {
  const { clock, relay, tries, settles } = open(async () => null)
  await relay.send(SENDER, [message('a'), message('b')])
  await relay.send(OTHER, [message('c')])
  await clock.advance(10)
  await relay.send(SENDER, [message('d')])
  t.same(settles, [], 'not one commit each')
  await clock.advance(10)
  t.same(settles, [
    { sender: 'sender', ids: ['a', 'b', 'd'] },
    { sender: 'other', ids: ['c'] }
  ])
  t.same(
    tries.map(({ id }) => id),
    ['a', 'b', 'c', 'd'],
    'each is known to its receiver by its own id'
  )
  t.equal(relay.pending, 0)
})

t.test('a sender in trouble is told again, later each time, with what arrives meanwhile; one that is gone is not', async (t) => {
  const settle = async (nth: number) => (nth <= 2 ? refused(nth === 1 ? 'storage_unavailable' : 'fenced') : null)
  const { clock, relay, settles } = open(async () => null, { settle })
  await relay.send(SENDER, [message('a')])
  await clock.advance(20)
  await relay.send(SENDER, [message('b')])
  await clock.advance(99)
  t.equal(settles.length, 1)
  await clock.advance(1)
  t.equal(settles.length, 2)
  await clock.advance(60_000)
  const told = settles.map(({ ids }) => ids)
  t.same(told, [['a'], ['a', 'b'], ['a', 'b']])
  const gone = open(async () => null, { settle: () => refused('session_missing') })
  await gone.relay.send(SENDER, [message('a')])
  await gone.clock.advance(60_000)
  t.equal(gone.settles.length, 1)
})

t.test('what arrives while its sender is being told is told next', async (t) => {
  const answers: (() => void)[] = []
  const settle = () => new Promise<void>((resolve) => answers.push(resolve))
  const { clock, relay, settles } = open(async () => null, { settle })
  await relay.send(SENDER, [message('a')])
  await clock.advance(20)
  await relay.send(SENDER, [message('b')])
  await clock.advance(1_000)
  t.equal(settles.length, 1)
  answers[0]?.()
  await clock.advance(20)
  t.same(settles[1], { sender: 'sender', ids: ['b'] })
})

t.test('an outbox message on its way is not sent a second time', async (t) => {
  const { relay, tries } = open(() => new Promise(() => {}))
  await relay.send(SENDER, [message('a')])
  await relay.send(SENDER, [message('a')])
  await relay.send(OTHER, [message('a')])
  t.equal(tries.length, 2, 'names are unique within a sender')
})

t.test('a refusal that passes is tried again with growing pauses until the outbox message arrives', async (t) => {
  const codes =
    'busy memory_exhausted unreachable not_owner draining deadline_passed outcome_unknown restart_limited fenced storage_unavailable ' +
    'embedder_unavailable'
  for (const code of codes.split(' ') as ErrorCode[]) {
    const { clock, relay, tries, settles } = open(async (_, count) => (count < 12 ? refused(code) : null))
    const beginMs = clock.monotonicMs()
    await relay.send(SENDER, [message('a')])
    await clock.advance(300_000)
    const pauses = tries.map(({ atMs }, at) => atMs - (tries[at - 1]?.atMs ?? beginMs))
    t.same(pauses, [0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000], code)
    t.same(settles, [{ sender: 'sender', ids: ['a'] }])
  }
})

t.test('an outbox message that was tried before, here or by another node, says so', async (t) => {
  const { clock, relay, tries } = open(async (_, count) => (count < 2 ? refused('busy') : null))
  await relay.send(SENDER, [message('a')])
  await relay.send(OTHER, [message('b')], { isRepeated: true })
  await clock.advance(1_000)
  t.same(
    tries.filter(({ id }) => id === 'a').map(({ isRepeated }) => isRepeated),
    [false, true]
  )
  t.same(
    tries.filter(({ id }) => id === 'b').map(({ isRepeated }) => isRepeated),
    [true, true]
  )
})

t.test('a refusal for good ends the tries and is logged without anything of the outbox message', async (t) => {
  for (const code of ['cluster_missing', 'member_missing', 'limit_reached', 'invalid_input', 'memory_full'] as const) {
    const { clock, relay, tries, settles, logged } = open(() => refused(code))
    await relay.send(SENDER, [message('a')])
    await clock.advance(300_000)
    t.equal(tries.length, 1, code)
    t.same(settles, [{ sender: 'sender', ids: ['a'] }])
    t.same(logged, [{ code, type: 'cluster.sample' }])
  }
})

t.test('a failure without a code ends the tries as well', async (t) => {
  const { clock, relay, settles, logged } = open(async () => Promise.reject(new Error('Ada')))
  await relay.send(SENDER, [message('a')])
  await clock.advance(20)
  t.same(settles, [{ sender: 'sender', ids: ['a'] }])
  t.same(logged, [{ code: 'unknown', type: 'cluster.sample' }])
})

t.test('a reply waits for the first try of what is awaited, and for nothing else', async (t) => {
  const answers: (() => void)[] = []
  const { relay, clock } = open(() => new Promise((resolve) => answers.push(() => resolve(null))))
  let isDone = false
  const sent = relay.send(SENDER, [message('awaited', true), message('other')]).then(() => (isDone = true))
  await clock.advance(500)
  t.notOk(isDone)
  answers[0]?.()
  await settled()
  t.ok(isDone)
  await sent
  const before = clock.monotonicMs()
  await relay.send(SENDER, [message('later')])
  t.equal(clock.monotonicMs(), before)
})

t.test('a reply waits for a second at most, or for as long as a message says', async (t) => {
  for (const fields of [{}, { awaitedMs: 5_000 }]) {
    const { relay, clock } = open(() => new Promise(() => {}))
    let isDone = false
    void relay.send(SENDER, [{ ...message('a', true), ...fields }]).then(() => (isDone = true))
    await clock.advance((fields.awaitedMs ?? 1_000) - 1)
    t.notOk(isDone)
    await clock.advance(1)
    t.ok(isDone)
  }
})

t.test('a reply does not wait for a second try', async (t) => {
  const { relay, clock } = open(() => refused('busy'))
  const beginMs = clock.monotonicMs()
  await relay.send(SENDER, [message('a', true)])
  t.equal(clock.monotonicMs(), beginMs)
  t.equal(relay.pending, 1)
})

t.test('a stopped relay tries nothing any more and tells nobody', async (t) => {
  let answer: () => void = () => {}
  const { relay, clock, tries, settles } = open((id) =>
    id === 'slow' ? new Promise((resolve) => (answer = () => resolve(null))) : refused('busy')
  )
  await relay.send(SENDER, [message('a'), message('slow')])
  relay.stop()
  answer()
  await relay.send(SENDER, [message('b', true)])
  await clock.advance(60_000)
  t.same(
    tries.map(({ id }) => id),
    ['a', 'slow']
  )
  t.same(settles, [])
  t.equal(relay.pending, 0)
})

t.test('each try has a deadline of its own', async (t) => {
  const { relay, tries } = open(async () => null)
  await relay.send(SENDER, [message('a')])
  t.equal(tries[0]?.deadlineMs, 60_000)
})

const vote = (id: string): OutboxMessage => ({
  id,
  to: { kind: 'region', subject: 's', id: 'r' },
  command: { type: 'region.vote', eventId: id, clusterId: 'c', driftScore: 1, driftPhase: 'drifted', timestamp: 0 },
  isAwaited: true
})

/** An outbox log that keeps what it is given, or refuses to. */
function keepingLog(keeps = true) {
  const kept: { id: string; body: unknown }[] = []
  const log: OutboxMessages = {
    async append(_to, id, body) {
      if (!keeps) throw new DomainError('unreachable', 'Nobody answers')
      kept.push({ id, body: structuredClone(body) })
    },
    take: () => () => undefined
  }
  return { log, kept }
}

t.test('a drift event goes through the log, once, and is awaited until its sender has been told', async (t) => {
  const { log, kept } = keepingLog()
  const { relay, tries } = open(async () => null, { log })
  let isAnswered = false
  const sent = relay.send(SENDER, [vote('v')]).then(() => (isAnswered = true))
  await settled()
  t.match(kept, [{ id: 'v', body: { sender: SENDER, message: { id: 'v' } } }])
  t.equal(isAnswered, false)
  relay.settled(OTHER, ['v'])
  await settled()
  t.equal(isAnswered, false, 'another one of the same name')
  relay.settled(SENDER, ['v'])
  await sent
  t.equal(relay.pending, 0)
  t.same(tries, [], 'nobody was asked directly')
})

t.test('any other outbox message is asked directly', async (t) => {
  const { log, kept } = keepingLog()
  const { relay, tries } = open(async () => null, { log })
  await relay.send(SENDER, [message('a', true)])
  t.same(kept, [])
  t.equal(tries.length, 1)
})

t.test('a drift event that the log does not take is asked directly', async (t) => {
  const { log } = keepingLog(false)
  const { relay, tries, settles, clock } = open(async () => null, { log })
  await relay.send(SENDER, [vote('v')])
  t.match(tries, [{ id: 'v' }])
  await clock.advance(20)
  t.same(settles, [{ sender: 'sender', ids: ['v'] }])
})

t.test('a drift event that the log keeps to itself is asked directly after a while', async (t) => {
  const { log } = keepingLog()
  const { relay, tries, clock } = open(async () => null, { log })
  void relay.send(SENDER, [vote('v')])
  await clock.advance(4_999)
  t.equal(tries.length, 0)
  await clock.advance(2)
  t.equal(tries.length, 1)
  t.equal(relay.pending, 0)
})

t.test('an outbox message out of the log is delivered under its own id, and its sender told', async (t) => {
  const { relay, tries, settles, clock } = open(async () => null)
  t.equal(await relay.take({ sender: SENDER, message: vote('v') }), true)
  await clock.advance(20)
  t.match(tries, [{ id: 'v', isRepeated: false }])
  t.same(settles, [{ sender: 'sender', ids: ['v'] }])
  t.equal(await relay.take({ sender: SENDER, message: vote('w') }, { isRepeated: true }), true)
  t.match(tries.at(-1), { id: 'w', isRepeated: true }, 'its first try may come later')
})

t.test(
  'an outbox message out of the log is kept while its receiver is in trouble, and not when it is gone, nor lost by a node that stops',
  async (t) => {
    t.equal(await open(() => refused('storage_unavailable')).relay.take({ sender: SENDER, message: vote('v') }), false)
    t.equal(await open(() => refused('region_missing')).relay.take({ sender: SENDER, message: vote('v') }), true)
    const { relay } = open(async () => null)
    const taken = relay.take({ sender: SENDER, message: vote('v') })
    relay.stop()
    t.equal(await taken, false)
  }
)
