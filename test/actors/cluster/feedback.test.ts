import t from 'tap'
import type { Command } from '../../../src/domain/commands/commands.js'
import type { BlendState, SharedVector } from '../../../src/domain/commands/coordination-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createClusterRig } from '../../support/cluster-rig.js'
import { codeOf } from '../../support/runtime.js'

const FEEDBACK = { type: 'cluster.feedback' } as const

const STATES: Readonly<Record<string, SharedVector>> = {
  a: { vector: Float32Array.of(1, 0), users: ['ann'] },
  b: { vector: Float32Array.of(0, 1), users: ['bob'] }
}
const stateOf = (id: string): SharedVector => STATES[id] ?? { vector: Float32Array.of(1, 0), users: [] }

type Rig = Awaited<ReturnType<typeof createClusterRig>>

/** Delivers the cluster's outbox messages to itself until none is left. Returns the number of refused ones. */
async function deliver(rig: Rig): Promise<number> {
  let refused = 0
  for (let message = rig.messages.shift(); message !== undefined; message = rig.messages.shift()) {
    if ((await codeOf(rig.ask(message.command as typeof FEEDBACK))) === 'fulfilled') continue
    refused += 1
    if (refused > 10) throw new Error('it never ends')
    rig.messages.push(message)
  }
  return refused
}

const blends = (rig: Rig) => rig.asked.filter((one): one is { id: string; command: BlendState } => one.command.type === 'state.blend')

t.test('feedback: the aggregate of that moment, to every member, under one name', async (t) => {
  const rig = await createClusterRig({ stateOf })
  await rig.add('a', 'b')
  t.strictSame(await rig.ask(FEEDBACK), { sessionsUpdated: 2 })
  t.strictSame(blends(rig), [], 'not before it is durable')
  t.match(rig.messages, [{ to: { kind: 'cluster', id: 'c' }, command: { type: 'cluster.spread' }, isAwaited: true }])
  await rig.restart()
  await deliver(rig)
  t.strictSame(
    blends(rig).map(({ id }) => id),
    ['a', 'b']
  )
  const [first, second] = blends(rig).map(({ command }) => command)
  t.match(first, { coupling: 0.5, modelName: 'model-1', target: { users: ['ann', 'bob'] } })
  t.ok(Math.abs((first?.target.vector[0] ?? 0) - Math.SQRT1_2) < 1e-6)
  t.strictSame(first, second)
  t.equal(rig.state.feedbacks.size, 0)
  t.strictSame(rig.counted, [{ name: 'feedback' }])
  t.match(
    rig.events.filter(({ kind }) => kind === 'fold.feedback'),
    [{ data: { sessions: 2, coupling: 0.5 } }]
  )
  await rig.ask(FEEDBACK)
  await deliver(rig)
  t.not(blends(rig).at(-1)?.command.deliveryId, first?.deliveryId, 'the next call is another one')
})

t.test('feedback without coupling, without members, or without any state: nobody is told', async (t) => {
  const loose = await createClusterRig({ stateOf, couplingFactor: 0 })
  await loose.add('a')
  t.strictSame(await loose.ask(FEEDBACK), { sessionsUpdated: 0 })
  const empty = await createClusterRig({ stateOf })
  t.strictSame(await empty.ask(FEEDBACK), { sessionsUpdated: 0 })
  t.strictSame([...loose.messages, ...empty.messages], [])
})

t.test('feedback: a member that is gone or fails for good is left out, one that is busy gets it later, and the others once', async (t) => {
  let isBusy = true
  let isGone = false
  const told: string[] = []
  const intercept = (id: string, command: Command) => {
    if (id === 'gone' && isGone) throw new DomainError('session_missing', 'Session not found')
    if (command.type !== 'state.blend') return
    if (id === 'bad') throw new DomainError('internal', 'Internal error')
    if (id === 'b' && isBusy) throw new DomainError('busy', 'Too many')
    told.push(id)
  }
  const rig = await createClusterRig({ stateOf, intercept })
  await rig.add('a', 'b', 'gone', 'bad')
  t.strictSame(await rig.ask(FEEDBACK), { sessionsUpdated: 4 })
  isGone = true
  const [whole] = rig.messages.splice(0)
  await rig.ask(whole?.command as typeof FEEDBACK)
  t.match(rig.messages, [{ isAwaited: false }], 'the rest is another outbox message')
  t.not(rig.messages[0]?.id, whole?.id)
  t.equal(await codeOf(rig.ask(rig.messages[0]?.command as typeof FEEDBACK)), 'busy', 'the relay waits before it tries again')
  await rig.restart()
  isBusy = false
  t.equal(await deliver(rig), 0)
  t.strictSame(told, ['a', 'b'])
  t.equal(rig.state.feedbacks.size, 0)
})

t.test('feedback that is late does not reach a session that has left, nor another one that has its id by then', async (t) => {
  const rig = await createClusterRig({ stateOf })
  await rig.add('a', 'b', 'd')
  t.strictSame(await rig.ask(FEEDBACK), { sessionsUpdated: 3 })
  await rig.ask({ type: 'cluster.dropMember', sessionId: 'a' })
  await rig.ask({ type: 'cluster.removeMember', sessionId: 'd' })
  rig.messages.splice(1)
  await rig.restart()
  t.equal(await deliver(rig), 0)
  t.strictSame(
    blends(rig).map(({ id }) => id),
    ['b']
  )
  t.equal(rig.state.feedbacks.size, 0)
})

t.test('feedback told again after it is over: changes nothing', async (t) => {
  const rig = await createClusterRig({ stateOf })
  await rig.add('a')
  await rig.ask(FEEDBACK)
  const [message] = rig.messages
  await deliver(rig)
  rig.asked.length = 0
  t.strictSame(await rig.ask(message?.command as typeof FEEDBACK), { spread: true })
  t.strictSame(rig.asked, [])
})

t.test('feedbacks that cannot be delivered: sixteen wait, and no more', async (t) => {
  const rig = await createClusterRig({ stateOf })
  await rig.add('a')
  for (let n = 0; n < 16; n++) await rig.ask(FEEDBACK)
  t.equal(await codeOf(rig.ask(FEEDBACK)), 'busy')
  t.equal(rig.messages.length, 16)
  await deliver(rig)
  t.strictSame(await rig.ask(FEEDBACK), { sessionsUpdated: 1 })
})

t.test('feedback to members that are slow: what is done is written before its outbox message runs out of time', async (t) => {
  let slowness = 6_000
  const told: string[] = []
  const rig = await createClusterRig({
    stateOf,
    async intercept(id, command) {
      if (command.type !== 'state.blend') return
      told.push(id)
      await rig.clock.advance(slowness)
    }
  })
  await rig.add(...Array.from({ length: 40 }, (_, n) => `s${String(n)}`))
  await rig.ask(FEEDBACK)
  await rig.ask(rig.messages.shift()?.command as typeof FEEDBACK)
  const first = told.length
  t.ok(first > 0 && first < 40, String(first))
  t.equal(rig.state.feedbacks.values().next().value?.sessionIds.length, 40 - first)
  slowness = 0
  await deliver(rig)
  t.strictSame([told.length, new Set(told).size], [40, 40], 'each once')
})

t.test('feedback, and the outbox full: refused, and nothing has changed', async (t) => {
  const rig = await createClusterRig({ stateOf })
  await rig.add('a')
  const prepared = await rig.prepare(FEEDBACK)
  await t.rejects(rig.step(FEEDBACK, prepared, 1000), { code: 'busy' })
  t.equal(rig.state.feedbacks.size, 0)
})

t.test('an erasure withdraws what holds the data subject, or may, and is on its way', async (t) => {
  let users: readonly string[] | null = ['ann']
  const rig = await createClusterRig({ stateOf: (id) => ({ vector: Float32Array.of(1, 0), users: id === 'a' ? users : [] }) })
  await rig.add('a')
  await rig.ask(FEEDBACK)
  t.strictSame(await rig.ask({ type: 'user.erase', userId: 'bob' }), { erasedMemories: 0, isAffected: false })
  t.strictSame(await rig.ask({ type: 'user.erase', userId: 'ann' }), { erasedMemories: 0, isAffected: true })
  users = null
  await rig.ask(FEEDBACK)
  t.strictSame(await rig.ask({ type: 'user.erase', userId: 'bob' }), { erasedMemories: 0, isAffected: true })
  await deliver(rig)
  t.strictSame(blends(rig), [])
  await rig.restart()
  t.equal(rig.state.feedbacks.size, 0)
})

t.test('a pull: by the coupling, under the name it came with; without coupling the session is not asked', async (t) => {
  const target = { vector: Float32Array.of(0, 1), users: [] }
  const command = { type: 'cluster.pull', deliveryId: 'realigned', target, modelName: 'model-1' } as const
  const rig = await createClusterRig({ stateOf })
  t.strictSame(await rig.ask(command), { isApplied: true })
  t.strictSame(blends(rig), [
    { id: 'c', command: { type: 'state.blend', deliveryId: 'realigned', target, modelName: 'model-1', coupling: 0.5 } }
  ])
  const loose = await createClusterRig({ stateOf, couplingFactor: 0 })
  t.strictSame(await loose.ask(command), { isApplied: false })
  t.strictSame(blends(loose), [])
})
