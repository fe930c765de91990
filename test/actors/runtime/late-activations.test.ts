/** What becomes of an activation that is ended before it is complete. */
import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { SUBJECT_ACTIVATIONS_MAX } from '../../../src/domain/limits.js'
import type { ActorStorage } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const

t.test('a fence at the end of a reading leaves nothing of it behind', async (t) => {
  let disposed = 0
  let restored = (): void => undefined
  const { ask, catalog } = await startRuntime({ restored: () => restored(), disposed: () => (disposed += 1) })
  await ask('a', append('one'))
  await catalog.passivate('tester', ['a'])
  await settled()
  disposed = 0
  restored = () => catalog.fence()
  t.equal(await codeOf(ask('a', READ)), 'fenced')
  await settled()
  t.equal(disposed, 1)
  restored = () => undefined
  t.same(await ask('a', READ), { words: ['one'] })
  t.equal(disposed, 1)
})

t.test('a fence while a record is made leaves nothing of it in memory, and its command is answered as the write ends', async (t) => {
  let disposed = 0
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, catalog } = await startRuntime({ storage, disposed: () => (disposed += 1) })
  storage.hold('create')
  const making = codeOf(ask('a', append('one')))
  await settled()
  catalog.fence()
  await settled()
  t.equal(disposed, 0, 'its state is on its way to the storage')
  storage.open('create')
  t.equal(await making, 'fulfilled')
  await settled()
  t.equal(disposed, 1)
  t.equal(catalog.activeCount, 0)
  t.same(await ask('a', append('two')), { words: ['one', 'two'] })
})

t.test('a state whose record cannot be made is taken apart, and the next command makes another', async (t) => {
  let disposed = 0
  let failures = 1
  const memory = createMemoryStorage({ retains: true })
  const storage: ActorStorage = {
    ...memory,
    async create(...made) {
      if (failures-- > 0) throw new DomainError('storage_unavailable', 'The storage does not answer')
      return memory.create(...made)
    }
  }
  const { ask, catalog } = await startRuntime({ storage, disposed: () => (disposed += 1) })
  t.equal(await codeOf(ask('a', append('one'))), 'storage_unavailable')
  await settled()
  t.same([disposed, catalog.activeCount], [1, 0])
  t.same(await ask('a', append('two')), { words: ['two'] })
  t.equal(disposed, 1)
})

t.test('activations that are ended while they wait for their turn to read keep no place from others', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, catalog } = await startRuntime({ storage })
  const askAll = (word: string) => Array.from({ length: 4 * SUBJECT_ACTIVATIONS_MAX }, (_, n) => codeOf(ask(`s${n}`, append(word))))
  storage.hold('peek')
  const ended = askAll('one')
  await settled()
  catalog.fence()
  t.same(new Set(await Promise.all(ended)), new Set(['fenced']))
  storage.open('peek')
  await settled()
  storage.hold('peek')
  const before = storage.counts.peek
  const next = askAll('two')
  await settled()
  t.equal(storage.counts.peek - before, SUBJECT_ACTIVATIONS_MAX)
  storage.open('peek')
  t.same(new Set(await Promise.all(next)), new Set(['fulfilled']))
})

t.test('a command whose time is over when its record is not found takes no place of the next one, and leaves nothing behind', async (t) => {
  const clock = createManualClock()
  const initiating = ({ type }: { readonly type: string }) => {
    if (type === 'list.read') clock.work(1_000)
  }
  const { ask, catalog } = await startRuntime({ clock, initiating, idleTtlMs: 10_000, sweepMs: 10_000 })
  const late = codeOf(ask('a', READ, 1_000))
  const next = ask('a', append('one'))
  await clock.advance(1_000)
  t.equal(await late, 'session_missing')
  t.same(await next, { words: ['one'] })
  t.equal(catalog.waitingCount, 0)
  await clock.advance(30_000)
  t.equal(catalog.activeCount, 0, 'nobody is thought to wait for it')
})

t.test('a command that is late when its record cannot be made takes no place of the next one', async (t) => {
  const clock = createManualClock()
  const memory = createMemoryStorage({ retains: true })
  const storage = gated({ ...memory, create: () => Promise.reject(new DomainError('storage_unavailable', 'The storage does not answer')) })
  const { ask, catalog } = await startRuntime({ clock, storage })
  storage.hold('create')
  const late = codeOf(ask('a', append('one'), 1_000))
  let next = 'waiting'
  void codeOf(ask('a', append('two'))).then((code) => (next = code))
  await clock.advance(1_000)
  storage.open('create')
  t.equal(await late, 'deadline_passed')
  await settled()
  t.equal(next, 'storage_unavailable')
  t.equal(catalog.waitingCount, 0)
})

t.test('a record that only taking it over finds is not made a second time, where storage is the memory of several nodes', async (t) => {
  const memory = createMemoryStorage({ retains: false })
  const first = await startRuntime({ storage: memory })
  await first.ask('a', append('one'))
  const { ask } = await startRuntime({ storage: { ...memory, peek: async () => null } })
  t.same(await ask('a', append('two')), { words: ['one', 'two'] })
})
