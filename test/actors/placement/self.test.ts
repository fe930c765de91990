import t from 'tap'
import { createAnswerPeers } from '../../../actors/placement/self.js'
import type { Address } from '../../../src/domain/address.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { settled } from '../../support/manual-clock.js'
import { startRuntime } from '../../support/runtime.js'

const addressOf = (id: string): Address => ({ kind: 'session', subject: 'tester', id })

/** Starts a node with the lists `a` and `b`, and its answers to peers. */
async function start({ keepsOwn }: { readonly keepsOwn: boolean }) {
  const storage = createMemoryStorage({ retains: true })
  const { ask, catalog } = await startRuntime({ storage })
  for (const id of ['a', 'b']) await ask(id, { type: 'list.append', word: id })
  const forgotten: string[] = []
  const answer = createAnswerPeers({
    catalogOf: () => catalog,
    describe: () => ({ nodeId: 'n', state: 'up', supervisors: [], live: [], more: 0 }),
    caches: ['texts', 'vectors'].map((name) => ({ forget: (subject?: string) => void forgotten.push(`${name} of ${subject ?? 'all'}`) })),
    redeemTicket: (hash) => `subject of ${hash}`,
    ownMemory: keepsOwn ? storage : null
  })
  return { answer, catalog, forgotten }
}

t.test('a record that is handed on to another node is given up here, and no other one', async (t) => {
  const { answer, catalog } = await start({ keepsOwn: true })
  t.equal(await answer({ type: 'record.take', address: addressOf('none') }), null)
  t.same(catalog.activeIds('tester'), ['a', 'b'])
  t.match(await answer({ type: 'record.take', address: addressOf('a') }), { rows: [{ body: 'a' }] })
  await settled()
  t.same(catalog.activeIds('tester'), ['b'])
})

t.test('a node that shares its storage hands nothing on and lists nothing of its own', async (t) => {
  const { answer, catalog } = await start({ keepsOwn: false })
  t.equal(await answer({ type: 'record.take', address: addressOf('a') }), null)
  t.equal(await answer({ type: 'record.peek', address: addressOf('a') }), null)
  t.same(await answer({ type: 'records.list', kind: 'session', subject: 'tester', after: '', limit: 10 }), [])
  t.same(catalog.activeIds('tester'), ['a', 'b'])
})

t.test('a node answers for the actors of the subject alone, forgets texts of a subject or of all, and knows its tickets', async (t) => {
  const { answer, catalog, forgotten } = await start({ keepsOwn: true })
  t.same(await answer({ type: 'actors.active', kind: 'session', subject: 'tester' }), ['a', 'b'])
  t.same(await answer({ type: 'actors.active', kind: 'session', subject: 'other' }), [])
  t.match(await answer({ type: 'actor.describe', address: addressOf('a') }), { id: 'a' })
  t.equal(await answer({ type: 'actor.describe', address: { ...addressOf('a'), subject: 'other' } }), null)
  t.equal(await answer({ type: 'sessions.last', subject: 'other' }), null)
  t.match(await answer({ type: 'sessions.last', subject: 'tester' }), { id: 'b' })
  t.equal(await answer({ type: 'ticket.redeem', hash: 'h' }), 'subject of h')
  await answer({ type: 'texts.forget', subject: 'tester' })
  await answer({ type: 'texts.forget' })
  t.same(forgotten, ['texts of tester', 'vectors of tester', 'texts of all', 'vectors of all'])
  await answer({ type: 'sessions.passivate', subject: 'tester', ids: ['a'] })
  await settled()
  t.same(catalog.activeIds('tester'), ['b'])
})
