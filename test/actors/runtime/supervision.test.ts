import t from 'tap'
import { DomainError, NO_ROOM_LEFT } from '../../../src/domain/errors.js'
import type { ActorStorage } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const
const CRASH = { type: 'list.crash' } as const

t.test('a step that throws harms nothing but itself: siblings answer, and the actor comes back as stored', async (t) => {
  const { ask, catalog, lines } = await startRuntime()
  await ask('a', append('kept'))
  await ask('b', append('sibling'))
  const [crashed, sibling] = await Promise.all([codeOf(ask('a', CRASH)), ask('b', READ)])
  t.equal(crashed, 'internal')
  t.same(sibling, { words: ['sibling'] })
  t.equal(catalog.activeCount, 1, 'the failed actor is gone until it is asked again')
  t.same(await ask('a', READ), { words: ['kept'] }, 'half a step is nowhere')
  t.equal(lines.filter(({ message }) => message === 'An actor failed').length, 1)
})

t.test('commands queued behind a step that throws are carried out by the next activation', async (t) => {
  const { ask } = await startRuntime()
  await ask('a', append('one'))
  const outcomes = await Promise.all([codeOf(ask('a', CRASH)), ask('a', append('two')), ask('a', READ)])
  t.same(outcomes, ['internal', { words: ['one', 'two'] }, { words: ['one', 'two'] }])
})

t.test('a refusal is an answer and not a failure', async (t) => {
  const { ask, lines, catalog } = await startRuntime()
  await ask('a', append('one'))
  await t.rejects(ask('a', { type: 'list.refuse' }), { code: 'invalid_input', message: 'Refused', loc: ['body', 'word'] })
  t.equal(catalog.activeCount, 1)
  t.same(lines, [])
})

t.test('a preparation that rejects refuses its own command only', async (t) => {
  const { ask, catalog } = await startRuntime({
    prepare: (command) => (command.type === 'list.refuse' ? Promise.reject(new TypeError('No model')) : Promise.resolve())
  })
  const outcomes = await Promise.all([ask('a', append('one')), codeOf(ask('a', { type: 'list.refuse' })), ask('a', READ)])
  t.same(outcomes, [{ words: ['one'] }, 'internal', { words: ['one'] }])
  t.equal(catalog.activeCount, 1)
})

t.test('a preparation that hangs holds nobody up and is given up at its deadline', async (t) => {
  let aborted = 0
  const { ask, clock, admission } = await startRuntime({
    prepare(command, signal) {
      if (command.type !== 'list.refuse') return Promise.resolve()
      signal.addEventListener('abort', () => (aborted += 1))
      return new Promise(() => {})
    }
  })
  await ask('a', append('one'))
  const hanging = codeOf(ask('a', { type: 'list.refuse' }, 1_000))
  const read = ask('a', READ, 1_000)
  await clock.advance(5)
  t.same(await read, { words: ['one'] }, 'it is overtaken after a moment')
  t.equal(admission.inFlight, 1)
  await clock.advance(1_000)
  t.equal(await hanging, 'deadline_passed')
  t.equal(aborted, 1)
  t.equal(admission.inFlight, 0, 'its place is free')
})

t.test('five failures of one actor in 30 s, and it is refused for 30 s while its siblings answer', async (t) => {
  const { ask, clock } = await startRuntime()
  await ask('a', append('one'))
  await ask('b', append('two'))
  for (let n = 0; n < 5; n++) t.equal(await codeOf(ask('a', CRASH)), 'internal')
  t.equal(await codeOf(ask('a', READ)), 'restart_limited')
  t.same(await ask('b', READ), { words: ['two'] })
  await clock.advance(29_000)
  t.equal(await codeOf(ask('a', READ)), 'restart_limited')
  await clock.advance(2_000)
  t.same(await ask('a', READ), { words: ['one'] })
})

t.test('failures further apart than their window never limit an actor', async (t) => {
  const { ask, clock } = await startRuntime()
  await ask('a', append('one'))
  for (let n = 0; n < 12; n++) {
    t.equal(await codeOf(ask('a', CRASH)), 'internal')
    await clock.advance(8_000)
  }
  t.same(await ask('a', READ), { words: ['one'] })
})

t.test('twenty failures in 30 s, and the supervisor is replaced: what was acknowledged is still there', async (t) => {
  for (const retains of [true, false]) {
    const { ask, node, lines, calls, catalog } = await startRuntime({ storage: createMemoryStorage({ retains }) })
    await ask('calm', append('kept'))
    for (let n = 0; n < 20; n++) {
      const id = `poisoned-${n >> 2}`
      await ask(id, append('x'))
      t.equal(await codeOf(ask(id, CRASH)), 'internal')
    }
    t.equal(lines.filter(({ message }) => message.startsWith('A supervisor gave up')).length, 1)
    t.equal(catalog.activeCount, 0)
    t.equal(node.state, 'running')
    t.equal(calls.failed, 0)
    t.same(await ask('calm', READ), { words: ['kept'] })
  }
})

t.test('a supervisor that a fault of its own ends leaves no actor behind, and the next one has all that is stored', async (t) => {
  let isBroken = false
  const disposed = () => {
    if (!isBroken) return
    isBroken = false
    throw new TypeError('Broken')
  }
  const { ask, node, lines, catalog } = await startRuntime({ disposed })
  await ask('calm', append('kept'))
  await ask('poisoned', append('x'))
  isBroken = true
  t.equal(await codeOf(ask('poisoned', CRASH)), 'internal')
  t.equal(lines.filter(({ message }) => message.startsWith('A supervisor gave up')).length, 1)
  t.strictSame([node.state, catalog.isSupervised, catalog.activeCount], ['running', true, 0])
  t.same(await ask('calm', READ), { words: ['kept'] })
  t.same(await ask('poisoned', READ), { words: ['x'] })
})

t.test('three supervisors giving up within 60 s, and the node fails', async (t) => {
  const { ask, node, calls, clock } = await startRuntime()
  for (let n = 0; n < 60; n++) {
    const id = `poisoned-${n >> 2}`
    if (n % 4 === 0) await ask(id, append('x'))
    t.equal(await codeOf(ask(id, CRASH)), 'internal', `failure ${n}`)
    await clock.advance(100)
  }
  t.equal(node.state, 'failed')
  t.equal(calls.failed, 1)
  t.equal(await codeOf(ask('calm', append('x'))), 'draining')
})

t.test('commands from other nodes that make actors fail end and limit those, and neither their supervisor nor the node', async (t) => {
  const { ask, node, catalog, calls, clock, lines } = await startRuntime()
  await ask('calm', append('kept'))
  const send = (id: string, command: { readonly type: string }) =>
    catalog.deliver({
      address: { kind: 'session', subject: 'tester', id },
      command,
      requestId: id,
      deadlineMs: 1_000,
      isInner: true,
      isForeign: true
    })
  for (let n = 0; n < 200; n++) {
    const id = `poisoned-${n >> 2}`
    if (n % 4 === 0) await send(id, append('x'))
    t.equal(await codeOf(send(id, CRASH)), 'internal', `failure ${n}`)
    await clock.advance(10)
  }
  await send('often', append('x'))
  for (let n = 0; n < 5; n++) t.equal(await codeOf(send('often', CRASH)), 'internal')
  t.equal(await codeOf(ask('often', READ)), 'restart_limited')
  t.equal(lines.filter(({ message }) => message.startsWith('A supervisor gave up')).length, 0)
  t.equal(node.state, 'running')
  t.equal(calls.failed, 0)
  t.same(await ask('calm', READ), { words: ['kept'] })
})

/** Fails when a list would be created. */
const initiating = ({ type }: { readonly type: string }): void => {
  if (type === 'list.create') throw new TypeError('Poison')
}

t.test('a command that fails where it would make its actor is refused alone, and the next one makes it', async (t) => {
  const { ask, lines } = await startRuntime({ initiating })
  const outcomes = await Promise.all([codeOf(ask('a', READ)), codeOf(ask('a', { type: 'list.create' })), ask('a', append('one'))])
  t.same(outcomes, ['session_missing', 'internal', { words: ['one'] }])
  t.equal(lines.filter(({ message }) => message === 'An actor failed').length, 1)
})

t.test('failures where actors would be made count for their supervisor unless they came from another node', async (t) => {
  for (const isForeign of [true, false]) {
    const { catalog, lines } = await startRuntime({ initiating })
    for (let n = 0; n < 20; n++) {
      const address = { kind: 'session', subject: 'tester', id: `s${String(n)}` } as const
      const ask = { address, command: { type: 'list.create' }, requestId: 'r', deadlineMs: 1_000, isInner: true }
      t.equal(await codeOf(catalog.deliver({ ...ask, ...(isForeign && { isForeign }) })), 'internal')
    }
    await settled()
    t.equal(lines.filter(({ message }) => message.startsWith('A supervisor gave up')).length, isForeign ? 0 : 1)
  }
})

t.test('a record that cannot be read answers every waiting command and harms nobody else', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const { ask } = await startRuntime({
    storage,
    restored: () => {
      throw new RangeError('Unknown format')
    }
  })
  await storage.create({ kind: 'session', subject: 'tester', id: 'a' }, { head: {}, put: [], remove: [] })
  const outcomes = await Promise.all([codeOf(ask('a', READ)), codeOf(ask('a', READ)), ask('b', append('fine'))])
  t.same(outcomes, ['internal', 'internal', { words: ['fine'] }])
})

t.test('a storage that fails acknowledges nothing: the actor drops its memory and comes back as stored', async (t) => {
  const memory = createMemoryStorage({ retains: true })
  let isBroken = false
  const storage: ActorStorage = {
    ...memory,
    commit: (...args) => (isBroken ? Promise.reject(new Error('Connection lost')) : memory.commit(...args))
  }
  const { ask, catalog, lines } = await startRuntime({ storage })
  await ask('a', append('one'))
  isBroken = true
  t.equal(await codeOf(ask('a', append('two'))), 'internal')
  t.equal(catalog.activeCount, 0)
  isBroken = false
  t.same(await ask('a', READ), { words: ['one'] })
  t.equal(lines.filter(({ level }) => level === 'error').length, 1, 'a storage that throws anything but its two refusals is a failure')
})

t.test('a storage that hangs is given up after its time limit and nothing is acknowledged', async (t) => {
  const memory = createMemoryStorage({ retains: true })
  let isHanging = false
  const storage: ActorStorage = { ...memory, commit: (...args) => (isHanging ? new Promise(() => {}) : memory.commit(...args)) }
  const { ask, clock, admission } = await startRuntime({ storage })
  await ask('a', append('one'))
  isHanging = true
  const written = codeOf(ask('a', append('two'), 20_000))
  const read = codeOf(ask('a', READ, 20_000))
  const sibling = codeOf(ask('b', { type: 'list.create' }))
  await clock.advance(4_900)
  t.equal(admission.inFlight, 2)
  t.equal(await sibling, 'fulfilled')
  await clock.advance(200)
  t.same(await Promise.all([written, read]), ['storage_unavailable', 'storage_unavailable'], 'a read of what is not durable waits with it')
  isHanging = false
  t.same(await ask('a', READ), { words: ['one'] })
})

t.test(
  'a write that the storage has not confirmed is refused as one whose outcome is not known; what was not written is not',
  async (t) => {
    const memory = createMemoryStorage({ retains: true })
    let reason: string | null = null
    const orDown = async <T>(written: Promise<T>): Promise<T> => {
      if (reason === null) return written
      if (reason !== NO_ROOM_LEFT) await written
      throw new DomainError('storage_unavailable', reason)
    }
    const storage: ActorStorage = {
      ...memory,
      create: (...args) => orDown(memory.create(...args)),
      commit: (...args) => orDown(memory.commit(...args)),
      remove: (...args) => orDown(memory.remove(...args))
    }
    const { ask } = await startRuntime({ storage })
    const refusalOf = (work: Promise<unknown>) => work.then(String, (error: unknown) => (error as Error).message)
    const unknown = 'Down; whether it was done is not known'
    await ask('a', append('one'))
    reason = 'Down'
    t.same(
      await Promise.all([append('two'), append('three')].map(async (command) => refusalOf(ask('a', command)))),
      [unknown, 'Down'],
      'the second one waited for the first one to be written'
    )
    t.same(await Promise.all([refusalOf(ask('b', { type: 'list.create' })), refusalOf(ask('b', append('x')))]), [unknown, 'Down'])
    t.equal(await refusalOf(ask('a', { type: 'list.delete' })), unknown)
    reason = NO_ROOM_LEFT
    t.equal(await refusalOf(ask('c', { type: 'list.create' })), NO_ROOM_LEFT)
  }
)

t.test('a failing step, while an earlier commit is under way: that commit is still acknowledged once it is durable', async (t) => {
  const memory = createMemoryStorage({ retains: true })
  let finish = () => {}
  let isHeld = false
  const storage: ActorStorage = {
    ...memory,
    async commit(...args) {
      if (isHeld) await new Promise<void>((resolve) => (finish = resolve))
      return memory.commit(...args)
    }
  }
  const { ask } = await startRuntime({ storage })
  await ask('a', append('one'))
  isHeld = true
  const written = ask('a', append('two'))
  await settled()
  const gathered = codeOf(ask('a', append('three')))
  const crashed = codeOf(ask('a', CRASH))
  await settled()
  t.same(await Promise.all([gathered, crashed]), ['internal', 'internal'])
  finish()
  t.same(await written, { words: ['one', 'two'] })
  t.same(await ask('a', READ), { words: ['one', 'two'] })
})
