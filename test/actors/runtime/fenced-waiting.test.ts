/** What becomes of waiting requests when another writer owns the record, or another process has the node's name. */
import t from 'tap'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

t.test('a fenced actor refuses what waits for it, and does not run that after taking the record back', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const isSlow = (word: string) => word === 'waits'
  const prepare = (command: { readonly type: string }) =>
    'word' in command && isSlow(String(command.word)) ? new Promise<void>(() => {}) : Promise.resolve()
  const { ask } = await startRuntime({ storage, isShared: true, prepare })
  await ask('a', { type: 'list.create' })
  storage.hold('commit')
  const running = codeOf(ask('a', { type: 'list.append', word: 'runs' }))
  const waiting = codeOf(ask('a', { type: 'list.append', word: 'waits' }))
  await settled()
  const activations = storage.counts.activate
  await storage.activate({ kind: 'session', subject: 'tester', id: 'a' })
  storage.open('commit')
  t.equal(await running, 'fenced')
  t.equal(await waiting, 'fenced')
  t.equal(storage.counts.activate, activations + 1, 'nobody but the other writer took it')
  t.same(await ask('a', { type: 'list.read' }), { words: [] })
})

t.test('an activation on a node that stood still is refused and takes nothing over', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  let isAwake = true
  const { ask } = await startRuntime({ storage, isShared: true, isAwake: () => isAwake })
  isAwake = false
  t.equal(await codeOf(ask('a', { type: 'list.create' })), 'fenced')
  t.equal(storage.counts.activate + storage.counts.create, 0)
  isAwake = true
  t.same(await ask('a', { type: 'list.create' }), { words: [] })
})

t.test('a node that stood still while it was about to make a record does not make it', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  let isAwake = true
  const { ask } = await startRuntime({ storage, isShared: true, isAwake: () => isAwake })
  storage.hold('peek')
  const making = codeOf(ask('a', { type: 'list.create' }))
  await settled()
  isAwake = false
  storage.open('peek')
  t.equal(await making, 'fenced')
  t.equal(storage.counts.create, 0)
})

t.test('what waits while its actor is put away is refused by a fence at once', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, catalog } = await startRuntime({ storage, isShared: true })
  await ask('a', { type: 'list.append', word: 'one' })
  storage.hold('release')
  await catalog.passivate('tester', ['a'])
  const waiting = codeOf(ask('a', { type: 'list.append', word: 'two' }))
  await settled()
  catalog.fence()
  t.equal(await waiting, 'fenced')
  storage.open('release')
  await settled()
  t.same(await ask('a', { type: 'list.read' }), { words: ['one'] })
})
