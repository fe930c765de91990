import t from 'tap'
import type { InspectionEvent } from 'xstate'
import { createMembership } from '../../actors/placement/membership.js'
import { DomainError, NO_ROOM_LEFT } from '../../src/domain/errors.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { gated } from '../support/gated-storage.js'
import { createManualClock, settled } from '../support/manual-clock.js'
import { codeOf, startRuntime } from '../support/runtime.js'
import { createCountingIds } from '../support/session-rig.js'
import { createSimulatedNetwork } from '../support/simulated-network.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const

t.test('a node that drains refuses new work, lets work in flight finish, then puts everything away', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  let disposed = 0
  const { ask, node, catalog, calls, clock } = await startRuntime({ storage, disposed: () => (disposed += 1) })
  for (let n = 0; n < 200; n++) await ask(`idle-${n}`, append('x'))
  await ask('a', append('one'))
  storage.hold('commit')
  const written = ask('a', append('two'))
  await settled()
  const drained = node.drain()
  t.equal(node.state, 'draining')
  t.equal(await codeOf(ask('a', READ)), 'draining')
  t.equal(calls.workFinished, 0)
  storage.open('commit')
  t.same(await written, { words: ['one', 'two'] })
  await clock.advance(100)
  await drained
  t.equal(node.state, 'stopped')
  t.equal(catalog.activeCount, 0)
  t.equal(disposed, 201)
  t.equal(calls.workFinished, 1)
  t.equal(calls.failed, 0)
  t.equal(clock.pending, 0, 'no timer keeps the process alive')
  t.equal(await codeOf(ask('a', READ)), 'unreachable', 'nobody serves the topic any more')
  await node.drain()
})

t.test('what comes while a node puts its actors away is refused, and keeps none of them', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, node, catalog, clock } = await startRuntime({ storage })
  for (const id of ['a', 'b']) await ask(id, append('one'))
  storage.hold('release')
  const drained = node.drain(0)
  await clock.advance(1)
  // Parts of work that was admitted before, here or on another node.
  const inner = ['b', 'c'].map((id) => {
    const address = { kind: 'session', subject: 'tester', id } as const
    return codeOf(catalog.deliver({ address, command: append('two'), requestId: id, deadlineMs: 10_000, isInner: true }))
  })
  t.same(await Promise.all(inner), ['draining', 'draining'])
  storage.open('release')
  await drained
  t.equal(catalog.activeCount, 0)
})

t.test('a node that drains waits 25 s at most for work that hangs and refuses it then', async (t) => {
  const { ask, node, clock, catalog, admission } = await startRuntime({
    prepare: (command) => (command.type === 'list.refuse' ? new Promise(() => {}) : Promise.resolve())
  })
  await ask('a', append('one'))
  const hanging = codeOf(ask('a', { type: 'list.refuse' }, 60_000))
  await settled()
  const drained = node.drain()
  await clock.advance(24_900)
  t.equal(node.state, 'draining')
  t.equal(admission.inFlight, 1)
  await clock.advance(200)
  t.equal(await hanging, 'draining')
  await drained
  t.equal(node.state, 'stopped')
  t.equal(catalog.activeCount, 0)
})

t.test('a node that drains while a record is being read lets go of it afterwards', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, node, clock, catalog } = await startRuntime({ storage })
  storage.hold('activate')
  const late = codeOf(ask('a', append('one'), 60_000))
  const drained = node.drain()
  await clock.advance(2_000)
  storage.open('activate')
  t.equal(await late, 'fulfilled', 'work in flight finishes')
  await drained
  t.equal(catalog.activeCount, 0)
})

t.test('a drain whose limit passes while a storage hangs still ends', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, node, clock } = await startRuntime({ storage })
  await ask('a', append('one'))
  await clock.advance(21_000)
  const drained = node.drain()
  storage.hold('release')
  await clock.advance(30_000)
  await drained
  t.equal(node.state, 'stopped')
})

t.test('a node whose storage does not answer does not start', async (t) => {
  const storage = { ...createMemoryStorage({ retains: true }), check: () => Promise.reject(new Error('Connection refused')) }
  await t.rejects(startRuntime({ storage }), { message: 'The node could not start' })
})

t.test('a node whose storage is full starts: what is there is read, and can be deleted', async (t) => {
  const check = () => Promise.reject(new DomainError('storage_unavailable', NO_ROOM_LEFT))
  const { node } = await startRuntime({ storage: { ...createMemoryStorage({ retains: true }), check } })
  t.equal(node.state, 'running')
})

/** A membership on a network of its own, with the messages published there. */
function memberOf(clock: ReturnType<typeof createManualClock>) {
  const bus = createSimulatedNetwork(clock).busOf('n1')
  const said: unknown[] = []
  const membership = createMembership({
    ...{ nodeId: 'n1', clock, ids: createCountingIds() },
    bus: {
      ...bus,
      publish(topic, body) {
        said.push((body as { state: string }).state)
        bus.publish(topic, body)
      }
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    tracer: { isEnabled: false, emit() {} },
    counters: { count() {} },
    checkStorage: async () => undefined,
    activeSessions: () => 0,
    renewed() {},
    fence() {},
    superseded() {}
  })
  return { membership, said }
}

t.test('one of several nodes has all of its actors under one root, and is started once it has joined', async (t) => {
  const clock = createManualClock()
  const { membership, said } = memberOf(clock)
  const told: InspectionEvent[] = []
  let isStarted = false
  const starting = startRuntime({ clock, membership, inspect: (event) => told.push(event) }).finally(() => (isStarted = true))
  await clock.advance(500)
  t.notOk(isStarted, 'it listens first')
  await clock.advance(500)
  const { ask, node } = await starting
  await ask('a', append('one'))
  const actors = told.filter(({ type }) => type === '@xstate.actor')
  t.equal(new Set(actors.map(({ rootId }) => rootId)).size, 1)
  const parents = actors.map(({ actorRef }) => {
    const { id, _parent } = actorRef as unknown as { readonly id: string; readonly _parent?: { readonly id: string } }
    return [id, _parent?.id]
  })
  t.match(
    parents,
    [
      [String, undefined],
      ['0.node.starting', String]
    ],
    'the root alone has none'
  )
  const root = parents[0]?.[0]
  for (const id of ['session', 'membership'])
    t.ok(
      parents.some(([own, parent]) => own === id && parent === root),
      id
    )
  t.ok(
    parents.some(([, parent]) => parent === 'session'),
    'the actor that was asked'
  )
  const drained = node.drain()
  await clock.advance(100)
  await drained
  t.equal(said.at(-1), 'left', 'it says goodbye when everything is put away')
  t.equal(clock.pending, 0)
})

t.test('a node that cannot join the others does not start', async (t) => {
  const membership = { start: () => Promise.reject(new Error('No broker')), leave() {} }
  await t.rejects(startRuntime({ membership }), { message: 'The node could not start' })
})

t.test('a node whose supervisors keep giving up says once that it failed, to whom has to end the process', async (t) => {
  const { ask, node, calls, clock } = await startRuntime()
  for (let n = 0; n < 60; n++) {
    const id = `poisoned-${String(n >> 2)}`
    if (n % 4 === 0) await ask(id, append('x'))
    t.equal(calls.failed, 0)
    await codeOf(ask(id, { type: 'list.crash' }))
    await clock.advance(100)
  }
  t.equal(node.state, 'failed')
  t.equal(calls.failed, 1)
})

t.test('a node that runs gives its actors what is due by the clock, every second, and goes on when that cannot be found out', async (t) => {
  let isBroken = true
  const due = { address: { kind: 'session', subject: 'tester', id: 'a' }, command: append('due') } as const
  const { ask, clock, lines } = await startRuntime({
    reminders() {
      if (isBroken) throw new TypeError('Broken')
      return [due]
    }
  })
  await clock.advance(1_000)
  t.match(lines, [{ level: 'error', message: 'A tick failed' }])
  isBroken = false
  await clock.advance(2_000)
  t.same(await ask('a', READ), { words: ['due', 'due'] })
})
