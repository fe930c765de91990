/** The first write of a record holds what its first command does: nobody finds a record before that, or after that failed. */
import t from 'tap'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import type { ListCommand } from '../../support/list-behaviour.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf, type RuntimeOptions, startRuntime } from '../../support/runtime.js'

const ADDRESS = { kind: 'session', subject: 'tester', id: 'a' } as const
const READ = { type: 'list.read' } as const
const append = (word: string) => ({ type: 'list.append', word }) as const

/** Starts a node on which the preparation of `slow` waits for `release`. */
async function startSlow(options: RuntimeOptions = {}) {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let disposed = 0
  const prepare = async (command: ListCommand) => {
    if ('word' in command && command.word === 'slow') await held
  }
  const runtime = await startRuntime({ prepare, disposed: () => (disposed += 1), ...options })
  return { ...runtime, release, disposed: () => disposed }
}

t.test('a record is written once, with what its first command does', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask } = await startRuntime({ storage })
  t.same(await ask('a', append('one')), { words: ['one'] })
  t.match(storage.counts, { create: 1, commit: 0 })
  await ask('b', { type: 'list.create' })
  t.match(storage.counts, { create: 2, commit: 0 })
})

t.test('there is no record while the first command is prepared, and what came behind it finds what it did', async (t) => {
  const { ask, storage, release, clock } = await startSlow()
  const slow = ask('a', append('slow'))
  const read = ask('a', READ)
  await clock.advance(1_000)
  t.equal(await storage.peek(ADDRESS), null)
  release()
  t.same(await read, { words: ['slow'] })
  t.same(await slow, { words: ['slow'] })
})

t.test('a first command that fails leaves no record', async (t) => {
  const stepping = (command: ListCommand): null => {
    if ('word' in command && command.word === 'poison') throw new TypeError('Poison')
    return null
  }
  const { ask, storage, lines } = await startRuntime({ stepping })
  const [poison, read] = [codeOf(ask('a', append('poison'))), codeOf(ask('a', READ))]
  t.equal(await poison, 'internal')
  t.equal(await read, 'session_missing', 'what came behind it is done')
  t.equal(await storage.peek(ADDRESS), null)
  t.equal(lines.filter(({ message }) => message === 'An actor failed').length, 1)
})

t.test('a first command is refused at its deadline while it is prepared, and the next one takes its place', async (t) => {
  const { ask, storage, clock, catalog, disposed } = await startSlow()
  const slow = codeOf(ask('a', append('slow'), 1_000))
  const next = ask('a', append('next'))
  await clock.advance(1_000)
  t.equal(await slow, 'deadline_passed')
  t.same(await next, { words: ['next'] })
  t.equal(catalog.waitingCount, 0)
  t.equal((await storage.activate(ADDRESS))?.rows.length, 1)
  t.equal(disposed(), 0, 'its preparation may still use the state')
})

t.test('a node that has waited long enough refuses a first command that is still prepared, and leaves nothing of it', async (t) => {
  const { ask, storage, node, clock, release, disposed } = await startSlow()
  const slow = codeOf(ask('a', append('slow'), 60_000))
  await settled()
  const drained = node.drain(1_000)
  await clock.advance(1_000)
  t.equal(await slow, 'draining')
  await drained
  release()
  await settled()
  t.equal(await storage.peek(ADDRESS), null)
  t.equal(disposed(), 1)
})

t.test('a node that drains while a record is written lets the reply out, and puts the actor away', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, node, clock, catalog } = await startRuntime({ storage })
  storage.hold('create')
  const one = ask('a', append('one'), 60_000)
  await settled()
  const drained = node.drain(1_000)
  await clock.advance(1_000)
  storage.open('create')
  t.same(await one, { words: ['one'] })
  await drained
  t.equal(catalog.activeCount, 0)
})

t.test('a first command that is fenced while it is prepared is refused, and nothing of it is written', async (t) => {
  const { ask, storage, catalog, release, disposed } = await startSlow()
  const slow = codeOf(ask('a', append('slow')))
  await settled()
  catalog.fence()
  t.equal(await slow, 'fenced')
  release()
  await settled()
  t.equal(await storage.peek(ADDRESS), null)
  t.equal(disposed(), 1)
})

t.test('a command that finds another writer’s record when it writes runs on that record', async (t) => {
  const memory = createMemoryStorage({ retains: true })
  const storage = gated(memory)
  const clock = createManualClock()
  const [one, other] = [await startRuntime({ storage, clock }), await startRuntime({ storage: memory, clock })]
  storage.hold('create')
  const [first, second] = [one.ask('a', append('one')), one.ask('a', append('two'))]
  await settled()
  await other.ask('a', append('theirs'))
  storage.open('create')
  t.same(await first, { words: ['theirs', 'one'] })
  t.same(await second, { words: ['theirs', 'one', 'two'] })
})
