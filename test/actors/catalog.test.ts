import t from 'tap'
import { startRuntime, codeOf } from '../support/runtime.js'

t.test('a command to an actor that is absent and that it may make, is carried out and durable', async (t) => {
  const { ask, catalog, storage, node } = await startRuntime()
  t.same(await ask('a', { type: 'list.append', word: 'one' }), { words: ['one'] })
  t.same(await ask('a', { type: 'list.append', word: 'two' }), { words: ['one', 'two'] })
  t.equal(catalog.activeCount, 1)
  t.same((await storage.activate({ kind: 'session', subject: 'tester', id: 'a' }))?.rows.map((row) => row.body), ['one', 'two'])
  await node.drain()
  t.equal(node.state, 'stopped')
})

t.test('a command to an actor that is absent and that it may not make, is refused and leaves no actor behind', async (t) => {
  const { ask, catalog } = await startRuntime()
  t.equal(await codeOf(ask('a', { type: 'list.read' })), 'session_missing')
  t.equal(catalog.activeCount, 0)
})
