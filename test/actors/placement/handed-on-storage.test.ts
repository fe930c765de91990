import t from 'tap'
import { createHandedOnStorage, handOn } from '../../../actors/placement/handed-on-storage.js'
import type { Peers } from '../../../actors/placement/peers.js'
import type { Address } from '../../../src/domain/address.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { codeOf } from '../../support/runtime.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 'a' }
const RECORD = { head: { length: 1 }, rows: [{ collection: 'words', id: '1', body: 'one' }] }

/** Storage of a node whose peers give these answers. */
function start(answers: readonly (typeof RECORD | null)[], missing = 0) {
  const asked: string[] = []
  const askAll: Peers['askAll'] = async ({ type }) => {
    asked.push(type)
    return { answers: answers as never, missing }
  }
  return { asked, storage: createHandedOnStorage(createMemoryStorage({ retains: true }), () => ({ askAll })) }
}

t.test('a record that another node has is taken over once, and kept here from then on', async (t) => {
  const { storage, asked } = start([null, RECORD])
  const taken = await storage.activate(ADDRESS)
  t.match(taken, RECORD)
  t.match(await storage.activate(ADDRESS), RECORD)
  t.match(await storage.peek(ADDRESS), { head: RECORD.head })
  t.same(asked, ['record.take'])
})

t.test('a record that none has may be made unless a node that may have it does not answer', async (t) => {
  t.equal(await start([null]).storage.activate(ADDRESS), null)
  t.equal(await codeOf(start([null], 1).storage.activate(ADDRESS)), 'storage_unavailable')
  t.match(await start([RECORD], 1).storage.activate(ADDRESS), RECORD, 'one that has it has answered')
})

t.test('what others have is seen without being taken over', async (t) => {
  const { storage, asked } = start([null, RECORD])
  t.match(await storage.peek(ADDRESS), { head: RECORD.head })
  t.match(await storage.peek(ADDRESS), { head: RECORD.head })
  t.same(asked, ['record.peek', 'record.peek'])
  t.equal(await start([null]).storage.peek(ADDRESS), null)
  t.match(await start([RECORD], 1).storage.peek(ADDRESS), { head: RECORD.head }, 'one that has it has answered')
  t.equal(start([]).storage.isDurable, true, 'as its own is')
})

t.test('of many heads those that are not here are asked for elsewhere', async (t) => {
  const { storage, asked } = start([null, RECORD])
  await storage.create(ADDRESS, { head: { length: 7 }, put: [], remove: [] })
  const query = { kind: 'session', subject: 'tester', ids: ['a', 'b'] } as const
  t.same(
    [...(await storage.heads(query))],
    [
      ['a', { length: 7 }],
      ['b', RECORD.head]
    ]
  )
  t.same(asked, ['record.peek'])
  t.same([...(await start([null]).storage.heads(query))], [])
  t.equal(await codeOf(start([null], 1).storage.heads(query)), 'storage_unavailable')
})

t.test('nothing is said of a record that a node may have which does not answer', async (t) => {
  t.equal(await codeOf(start([null], 1).storage.peek(ADDRESS)), 'storage_unavailable')
})

t.test('a listing is of all nodes, each id once, in order and as long as asked for', async (t) => {
  const own = createMemoryStorage({ retains: true })
  for (const id of ['d', 'a']) await own.create({ ...ADDRESS, id }, { head: {}, put: [], remove: [] })
  const asked: unknown[] = []
  const storage = createHandedOnStorage(own, () => ({
    askAll: async (question) => {
      asked.push(question)
      return { answers: [['c', 'a'], ['b']] as never, missing: 0 }
    }
  }))
  const query = { kind: 'session', subject: 'tester', after: '', limit: 10 } as const
  t.same(await storage.list(query), ['a', 'b', 'c', 'd'])
  t.same(asked, [{ type: 'records.list', ...query }])
  t.same(await storage.list({ ...query, limit: 2 }), ['a', 'b'])
})

t.test('a listing is refused while a node that may have more does not answer', async (t) => {
  const { storage } = start([], 1)
  t.equal(await codeOf(storage.list({ kind: 'session', subject: 'tester', limit: 10 })), 'storage_unavailable')
})

t.test('a record is handed on once: its node has it no more, and who still writes there is fenced', async (t) => {
  const own = createMemoryStorage({ retains: false })
  const token = await own.create(ADDRESS, { head: RECORD.head, put: RECORD.rows, remove: [] })
  t.same(await handOn(own, ADDRESS), RECORD)
  t.equal(await own.peek(ADDRESS), null)
  t.equal(await handOn(own, ADDRESS), null)
  if (token === null) throw new Error('not made')
  t.equal(await codeOf(own.commit(ADDRESS, token, { head: {}, put: [], remove: [] })), 'fenced')
})
